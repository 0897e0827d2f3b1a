/** Folders and their parents. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './errno.ts';
import { statsOrNull } from './stats.ts';

/**
 * Makes a folder and whatever is missing above it; fine if it is there. Throws as Node does. Node's own way
 * never ends where a file system lets nobody make folders and says that they are not there, as `/proc` does.
 */
export function makeFolders(path: string): void {
  try {
    make(path);
  } catch (error) {
    const parent = dirname(path);
    if (errnoOf(error) !== 'ENOENT' || parent === path) throw error;
    makeFolders(parent);
    make(path);
  }
}

function make(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' || statsOrNull(path)?.isDirectory() !== true) throw error;
  }
}
