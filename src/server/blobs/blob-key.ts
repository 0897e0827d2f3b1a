import { randomBytes } from 'node:crypto';
import { TsregError } from '../../errors/error.ts';

/** Checksum, and what tells apart two that were stored of the same bytes. */
const KEY = /^[0-9a-f]{64}-[0-9a-f]{16}$/;
const EXTENSION = '.crate';

/** A key that was never used. `checksum` is hex SHA-256. */
export function makeBlobKey(checksum: string): string {
  return `${checksum}-${randomBytes(8).toString('hex')}`;
}

/** Where a blob lies below the place of all: `ab/cd/KEY.crate`. Throws for a key that was not made, so that no path leads elsewhere. */
export function blobPath(key: string): string {
  if (!KEY.test(key)) throw new TsregError(`\`${key}\` is not a valid key of a blob`, { code: 'source' });
  return `${key.slice(0, 2)}/${key.slice(2, 4)}/${key}${EXTENSION}`;
}

/** The key of a blob by the last part of its path; null for what is none. */
export function keyOfBlobPath(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const key = name.slice(0, -EXTENSION.length);
  return name.endsWith(EXTENSION) && KEY.test(key) ? key : null;
}
