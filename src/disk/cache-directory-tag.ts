/** Folders that backup programs need not keep. */
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TsregError } from '../errors/error.ts';
import { errnoOf, osError } from './errno.ts';
import { makeFolders } from './make-folders.ts';

const TAG = `Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by cargo.
# For information about cache directory tags see https://bford.info/cachedir/
`;

/**
 * Makes `folder` and marks it as a cache with a `CACHEDIR.TAG`, as cargo does for `registry` and `git`
 * under its home. Failures are ignored: the mark is a courtesy.
 */
export function markCacheDirectory(folder: string): void {
  try {
    makeFolders(folder);
    const tag = join(folder, 'CACHEDIR.TAG');
    if (!existsSync(tag)) writeFileSync(tag, TAG);
  } catch {
    // A read-only file system.
  }
}

/**
 * Makes `folder` with the mark of a cache, as cargo does for target folders. One that is there stays as it is. cargo makes
 * another one beside it and renames that; whoever lists the files of the package meanwhile takes it for one of them.
 */
export function makeCacheDirectory(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  try {
    makeFolders(parent);
    // Else someone else was quicker.
    if (!makeFolder(folder)) return;
  } catch (error) {
    throw new TsregError(`failed to create directory \`${parent}\``, { cause: osError(error) });
  }
  try {
    writeFileSync(join(folder, 'CACHEDIR.TAG'), TAG);
  } catch {
    // The mark is a courtesy.
  }
}

/** False if something stands there. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** What cannot be looked at is none. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
