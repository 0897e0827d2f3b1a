/** Unpacks a `.crate` for the user, outside of cargo's folders. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import { osError } from '../disk/errno.ts';
import { createFolders } from '../disk/make-folders.ts';
import { temporaryFolderName } from './temporary-folder.ts';
import { unpackInto } from './unpack-entries.ts';

/**
 * Unpacks a `.crate` to the folder `dirName` below `parent`, which is created if it is missing, and returns that folder.
 * It appears complete, by a rename. Throws if it exists and is not empty. A failure leaves nothing behind. `unpackInto`
 * lists the archives that are rejected.
 */
export function extractCrate(
  archive: Uint8Array,
  { parent, dirName }: { readonly parent: string; readonly dirName: string },
): string {
  const root = join(parent, dirName);
  const temporary = join(parent, temporaryFolderName());
  createFolders(temporary, parent);
  try {
    unpackInto(archive, { unpacked: temporary, dirName, root });
    renameSync(temporary, root);
    return root;
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw new TsregError(`failed to unpack to \`${root}\``, { cause: osError(error) });
  }
}
