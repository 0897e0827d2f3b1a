import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './errno.ts';

/**
 * Makes a folder and those above it that are not there, all with the same mode. Fine if it is there. Throws the
 * error of the operating system; Node's own way never returns on file systems that make no folders, as `/proc`.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
    return;
  } catch (error) {
    if (isFolder(path)) return;
    if (errnoOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
  }
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Somebody else may have been faster.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
