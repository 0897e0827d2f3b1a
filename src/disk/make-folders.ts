/** Folders and their parents. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { TsregError } from '../errors/error.ts';
import { errnoOf, osError } from './errno.ts';
import { statsOrNull } from './stats.ts';

/**
 * Makes a folder and whatever is missing above it, all with the same mode; fine if it is there. Throws as Node does.
 * Node's own way never ends where a file system lets nobody make folders and says that they are not there, as `/proc`
 * does.
 */
export function makeFolders(path: string, mode = 0o777): void {
  try {
    make(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if (errnoOf(error) !== 'ENOENT' || parent === path) throw error;
    makeFolders(parent, mode);
    make(path, mode);
  }
}

/** As `makeFolders`, and what fails is told in cargo's words, of `shown` where that is what the user knows. */
export function createFolders(path: string, shown = path): void {
  try {
    makeFolders(path);
  } catch (error) {
    throw new TsregError(`failed to create directory \`${shown}\``, { cause: osError(error) });
  }
}

function make(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' || statsOrNull(path)?.isDirectory() !== true) throw error;
  }
}
