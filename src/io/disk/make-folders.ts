/** Creates folders with their parents. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import { errnoOf, osError } from './errno.ts';
import { statsOrNull } from './stats.ts';

/**
 * Creates a folder and its missing parents, all with the same mode. Succeeds if it exists. Throws Node's errors. Node's
 * own recursive `mkdir` never ends in file systems that refuse to create folders with `ENOENT`, such as `/proc`.
 */
export function makeFolders(path: string, mode = 0o777): void {
  try {
    makeFolder(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if (errnoOf(error) !== 'ENOENT' || parent === path) throw error;
    makeFolders(parent, mode);
    makeFolder(path, mode);
  }
}

/** Like `makeFolders`, but throws `io` in cargo's words. Errors name `shownPath`, the path that the user knows. */
export function createFolders(path: string, shownPath = path): void {
  try {
    makeFolders(path);
  } catch (error) {
    throw new TsregError(`failed to create directory \`${shownPath}\``, { cause: osError(error) });
  }
}

function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' || statsOrNull(path)?.isDirectory() !== true) throw error;
  }
}
