/** Folders that backup programs may skip. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import { errnoOf, osError } from './errno.ts';
import { makeFolders } from './make-folders.ts';
import { statsOrNull } from './stats.ts';

/** cargo's text. The first line is the one by which backup programs recognize a cache. */
const TAG = `Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by cargo.
# For information about cache directory tags see https://bford.info/cachedir/
`;

/**
 * Creates `folder` and marks it as a cache with a `CACHEDIR.TAG`, as cargo does for `registry` and `git` in its home.
 * Ignores failures: the tag is optional.
 */
export function markCacheDirectory(folder: string): void {
  try {
    makeFolders(folder);
    const tag = join(folder, 'CACHEDIR.TAG');
    // A killed run can leave an empty file.
    if ((statsOrNull(tag)?.size ?? 0) === 0) writeFileSync(tag, TAG);
  } catch {
    // For example, a read-only file system.
  }
}

/**
 * Creates `folder` with a cache tag, as cargo does for target folders. An existing folder or file stays unchanged.
 * Throws `io`, in cargo's words, if the folder cannot be created. Unlike cargo, creates no temporary folder next to it,
 * which could get into a listing of the package's files. Ignores a tag that cannot be written: the tag is optional.
 */
export function makeCacheDirectory(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  try {
    makeFolders(parent);
    // Something is there already: a file, or the folder of another process that was faster.
    if (!makeFolder(folder)) return;
  } catch (error) {
    throw new TsregError(`failed to create directory \`${parent}\``, { cause: osError(error) });
  }
  try {
    writeFileSync(join(folder, 'CACHEDIR.TAG'), TAG);
  } catch {
    // The tag is optional.
  }
}

/** Creates a folder. Returns false if the path already exists. Throws Node's errors. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Returns true for a folder, links followed; false if the path is inaccessible. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
