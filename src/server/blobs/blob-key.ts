import { randomBytes } from 'node:crypto';
import { TsregError } from '../../core/errors/error.ts';

/** The checksum, and a random part that differs between blobs with the same bytes. */
const KEY = /^[0-9a-f]{64}-[0-9a-f]{16}$/;
const EXTENSION = '.crate';

/** Returns a new key. `checksum` is hex SHA-256. */
export function makeBlobKey(checksum: string): string {
  return `${checksum}-${randomBytes(8).toString('hex')}`;
}

/**
 * Returns the relative path of a blob, `ab/cd/KEY.crate`. Throws `source` for invalid keys: no path leads elsewhere.
 */
export function blobPath(key: string): string {
  if (!KEY.test(key)) throw new TsregError(`\`${key}\` is not a valid key of a blob`, { code: 'source' });
  return `${key.slice(0, 2)}/${key.slice(2, 4)}/${key}${EXTENSION}`;
}

/** Throws `checksum` unless `checksum` (hex SHA-256) is that of the blob. */
export function requireChecksum(key: string, checksum: string): void {
  if (key.startsWith(checksum)) return;
  throw new TsregError(`the blob \`${key}\` is damaged: the checksum does not match`, { code: 'checksum' });
}

/** Returns the key of a blob from the last part of its path; null if it is not a blob. */
export function keyOfBlobPath(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const key = name.slice(0, -EXTENSION.length);
  return name.endsWith(EXTENSION) && KEY.test(key) ? key : null;
}
