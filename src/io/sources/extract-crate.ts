/** Unpacks a `.crate` for the user, outside of cargo's folders. */
import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import { osError } from '../disk/errno.ts';
import { createFolders } from '../disk/make-folders.ts';
import { temporaryFolderName } from './temporary-folder.ts';
import { unpackInto } from './unpack-entries.ts';

/**
 * Unpacks what is in the folder `dirName` of a `.crate` to the folder `root`, whose missing parents are created. It
 * appears complete, by a rename. Throws if it exists and is not empty. A failure leaves nothing behind. `unpackInto`
 * lists the archives that are rejected.
 */
export function extractCrate(
  archive: Uint8Array,
  { root, dirName }: { readonly root: string; readonly dirName: string },
): void {
  const parent = dirname(root);
  const temporary = join(parent, temporaryFolderName());
  createFolders(temporary, parent);
  try {
    unpackInto(archive, { unpacked: temporary, dirName, root });
    renameSync(temporary, root);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw new TsregError(`failed to unpack to \`${root}\``, { cause: osError(error) });
  }
}
