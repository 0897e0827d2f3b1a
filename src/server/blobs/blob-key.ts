import { randomBytes } from 'node:crypto';
import { TsregError } from '../../core/errors/error.ts';
import type { BlobKind } from '../store/blobs.ts';

/**
 * The checksum, a random part that differs between blobs with the same bytes, and `.docs` for documentation. Earlier
 * releases do not know documentation, and delete each `.crate` without a version: so the names of its files differ.
 */
const KEY = /^[0-9a-f]{64}-[0-9a-f]{16}(?:\.docs)?$/;
/** The file name of a blob. */
const FILE_NAME = /^([0-9a-f]{64}-[0-9a-f]{16})(?:\.crate|(\.docs))$/;

/** Returns a new key. `checksum` is hex SHA-256. */
export function makeBlobKey(checksum: string, kind: BlobKind): string {
  return `${checksum}-${randomBytes(8).toString('hex')}${kind === 'docs' ? '.docs' : ''}`;
}

/** Returns what the blob with this key contains. */
export function blobKindOf(key: string): BlobKind {
  return key.endsWith('.docs') ? 'docs' : 'crate';
}

/**
 * Returns the relative path of a blob, `ab/cd/KEY.crate` or `ab/cd/KEY.docs`. Throws `source` for invalid keys: no path
 * leads elsewhere.
 */
export function blobPath(key: string): string {
  if (!KEY.test(key)) throw new TsregError(`\`${key}\` is not a valid key of a blob`, { code: 'source' });
  return `${key.slice(0, 2)}/${key.slice(2, 4)}/${key}${blobKindOf(key) === 'docs' ? '' : '.crate'}`;
}

/** Throws `checksum` unless `checksum` (hex SHA-256) is that of the blob. */
export function requireChecksum(key: string, checksum: string): void {
  if (key.startsWith(checksum)) return;
  throw new TsregError(`the blob \`${key}\` is damaged: the checksum does not match`, { code: 'checksum' });
}

/** Returns the key of a blob from the last part of its path; null if it is not a blob. */
export function keyOfBlobPath(path: string): string | null {
  const [, name, extension = ''] = FILE_NAME.exec(path.slice(path.lastIndexOf('/') + 1)) ?? [];
  return name === undefined ? null : name + extension;
}
