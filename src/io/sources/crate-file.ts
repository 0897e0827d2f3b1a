/** Reads and writes the `.crate` files of a registry. Cargo Book: Cargo Home. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, osError } from '../disk/errno.ts';
import { createFolders } from '../disk/make-folders.ts';
import { writeFileAtomic } from '../disk/write-file-atomic.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import { pathPart } from '../../core/package-id/path-part.ts';
import { sha256Hex } from '../disk/sha256.ts';

/** Returns the folder name of a package and its archive, `name-version`. Throws if it is not a valid path part. */
export function packageDirName(id: Pick<PackageId, 'name' | 'version'>): string {
  return pathPart(`${id.name}-${id.version.text}`);
}

/** Returns the file name of a package's `.crate`. */
export function crateFileName(id: Pick<PackageId, 'name' | 'version'>): string {
  return `${packageDirName(id)}.crate`;
}

/** Saves a `.crate` to the cache, atomically. The lock on the package cache must be held. Throws in cargo's words. */
export async function storeCrate(path: string, archive: Uint8Array): Promise<void> {
  createFolders(dirname(path));
  try {
    await writeFileAtomic(path, archive, { durable: false });
  } catch (error) {
    throw new TsregError(`failed to open \`${path}\``, { cause: osError(error) });
  }
}

/** Reads a `.crate` from the cache. Throws in cargo's words if it cannot be read. */
export function readCrate(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new TsregError(`failed to open \`${path}\``, { cause: osError(error) });
  }
}

/** Returns true if `archive` has the SHA-256 `checksum` (hexadecimal). */
export function hasChecksum(archive: Uint8Array, checksum: string): boolean {
  return sha256Hex(archive) === checksum;
}

/** Returns true if the `.crate` at `path` can be read and has this checksum. */
export function isStoredWithChecksum(path: string, checksum: string): boolean {
  try {
    return hasChecksum(readFileSync(path), checksum);
  } catch (error) {
    if (errnoOf(error) !== null) return false;
    throw error;
  }
}
