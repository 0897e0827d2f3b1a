import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Library from '../../src/index.ts';
import { projectRoot } from './project-root.ts';

/** Imports the library as it ships. Its classes are not identical to those of the sources. */
export async function builtLibrary(): Promise<typeof Library> {
  return import(pathToFileURL(path.join(projectRoot, 'dist', 'lib', 'index.js')).href);
}
