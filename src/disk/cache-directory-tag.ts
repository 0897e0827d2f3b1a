/** Folders that backup programs need not keep. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
