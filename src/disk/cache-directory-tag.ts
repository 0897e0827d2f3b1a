/** Folders that backup programs need not keep. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TsregError } from '../errors/error.ts';
import { osError } from './errno.ts';
import { makeFolders } from './make-folders.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

const TAG = `Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by cargo.
# For information about cache directory tags see https://bford.info/cachedir/
`;

/**
 * Makes `folder` and marks it as a cache with a `CACHEDIR.TAG`, as cargo does for `registry` and `git`
 * under its home. Failures are ignored: the mark is a courtesy.
 */
export async function markCacheDirectory(folder: string): Promise<void> {
  try {
    makeFolders(folder);
    const tag = join(folder, 'CACHEDIR.TAG');
    // Whole or not at all: one that is there is never written again.
    if (!existsSync(tag)) await writeFileAtomic(tag, TAG, { durable: false });
  } catch {
    // A read-only file system.
  }
}

/**
 * Makes `folder`, with the mark of a cache from its first moment, as cargo does for target folders. One that is there
 * stays as it is.
 */
export function makeCacheDirectory(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  const temporary = `${folder}${randomBytes(4).toString('hex')}`;
  try {
    makeFolders(parent);
    mkdirSync(temporary);
  } catch (error) {
    throw new TsregError(`failed to create directory \`${parent}\``, { cause: osError(error) });
  }
  try {
    writeFileSync(join(temporary, 'CACHEDIR.TAG'), TAG);
  } catch {
    // The mark is a courtesy.
  }
  try {
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Someone else was quicker.
    if (!existsSync(folder)) {
      throw new TsregError(`failed to create directory \`${folder}\``, { cause: osError(error) });
    }
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
