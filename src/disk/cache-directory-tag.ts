/** Folders that backup programs need not keep. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from './make-folders.ts';

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
    await writeFile(join(folder, 'CACHEDIR.TAG'), TAG, { flag: 'wx' });
  } catch {
    // There already, or on a read-only file system.
  }
}
