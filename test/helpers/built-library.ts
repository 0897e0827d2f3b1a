import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Library from '../../src/index.ts';
import type * as Server from '../../src/library/server/index.ts';
import { projectRoot } from './project-root.ts';

/** Imports the library as it ships. Its classes are not identical to those of the sources. */
export async function builtLibrary(): Promise<typeof Library> {
  return import(builtFile('index.js'));
}

/** Imports `tsreg/server` as it ships. */
export async function builtServer(): Promise<typeof Server> {
  return import(builtFile('server.js'));
}

function builtFile(name: string): string {
  return pathToFileURL(path.join(projectRoot, 'dist', 'lib', name)).href;
}
