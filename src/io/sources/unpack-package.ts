/** Unpacks a `.crate` to a folder in `registry/src`. Cargo Book: Cargo Home. */
import { readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { READY_FILE } from '../archive/portable-name.ts';
import { CRATE_MTIME } from '../archive/tar-header.ts';
import { errnoOf, osError } from '../disk/errno.ts';
import { createFolders } from '../disk/make-folders.ts';
import { withContext } from '../../core/errors/error.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import { packageDirName } from './crate-file.ts';
import { READY_TEXT } from './package-presence.ts';
import { removeIfTemporary, temporaryFolderName } from './temporary-folder.ts';
import { unpackInto } from './unpack-entries.ts';

/** Files that `cargo package` generates. */
const GENERATED_FILES = ['Cargo.lock', 'Cargo.toml', '.cargo_vcs_info.json'];
/** Errors that are ignored here, because unpacking reports them. */
const NOTHING_TO_LIST: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);

/**
 * Unpacks a `.crate` below `parent` (the registry's folder in `registry/src`) and returns the package's folder. The
 * folder appears complete, by a rename, and replaces an unfinished one. So the lock on the package cache must be held.
 * A failure leaves nothing behind. `unpackInto` lists the archives that are rejected.
 */
export function unpackPackage(archive: Uint8Array, id: PackageId, parent: string): string {
  return withContext(
    () => `failed to unpack package \`${describePackage(id)}\``,
    () => unpackArchive(archive, { parent, dirName: packageDirName(id) }),
  );
}

/** Like `unpackPackage`, without the package in errors. `dirName` is its `packageDirName`. */
export function unpackArchive(
  archive: Uint8Array,
  { parent, dirName }: { readonly parent: string; readonly dirName: string },
): string {
  const root = join(parent, dirName);
  const temporary = join(parent, temporaryFolderName());
  createFolders(temporary, root);
  try {
    unpackInto(archive, { unpacked: temporary, dirName, root });
    markGeneratedFiles(temporary);
    writeFileSync(join(temporary, READY_FILE), READY_TEXT, { flag: 'wx' });
    replaceFolder(temporary, root);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw osError(error);
  }
  return root;
}

/** Removes the temporary folders of killed runs below `parent`. The lock on the package cache must be held. */
export function removeUnfinishedUnpacks(parent: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(parent);
  } catch (error) {
    if (NOTHING_TO_LIST.has(errnoOf(error) ?? '')) return;
    throw error;
  }
  for (const name of names) removeIfTemporary(parent, name);
}

/** Sets the modification time that cargo sets on the files that `cargo package` generates. */
export function markGeneratedFiles(root: string): void {
  for (const name of GENERATED_FILES) {
    try {
      utimesSync(join(root, name), CRATE_MTIME, CRATE_MTIME);
    } catch {
      // Missing, or owned by another user: the time only helps build scripts.
    }
  }
}

/** Errors of renaming a folder to an existing path, depending on the system and on what is there. */
const TARGET_EXISTS: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM']);

/** Renames a folder, and removes what was at `to`. */
function replaceFolder(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!TARGET_EXISTS.has(errnoOf(error) ?? '')) throw error;
    rmSync(to, { recursive: true, force: true });
    renameSync(from, to);
  }
}
