import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobPath } from '../../src/server/blobs/blob-key.ts';
import { Bucket } from '../../src/server/bucket/bucket.ts';
import { BLOBS_FOLDER } from '../../src/server/admin/open-store.ts';
import type { StoreLocation } from '../../src/server/admin/store-location.ts';
import type { Blobs } from '../../src/server/store/blobs.ts';

/** The blob storage of a test registry, and the variables for access. */
export interface TestStorage {
  /** The URL for `--storage` and `StoreLocation`; null for the folder. */
  readonly storage: string | null;
  /** Variables of a program that uses it. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Returns a prefix in the object store that `TSREG_TEST_STORAGE` names, the same for the same folder. Without that
 * variable, the storage is the folder.
 */
export function testStorage(folder: string): TestStorage {
  const url = process.env['TSREG_TEST_STORAGE'] ?? '';
  if (url === '') return { storage: null, env: {} };
  const [bucket = '', query = ''] = url.split('?', 2);
  const prefix = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const env: Record<string, string> = {};
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION']) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return { storage: `${bucket.replace(/\/+$/, '')}/${prefix}?${query}`, env };
}

/** The reason to skip tests of the blob folder; null if they run. */
export const FOLDER_IS_ELSEWHERE =
  (process.env['TSREG_TEST_STORAGE'] ?? '') === '' ? null : 'the .crate files are in an object store';

/** Removes all objects of a storage that `testStorage` returned. */
export async function removeTestStorage(storage: string | null): Promise<void> {
  if (storage === null) return;
  const bucket = new Bucket(storage, process.env);
  for await (const { key } of bucket.list('')) await bucket.delete(key);
  bucket.close();
}

/** Returns the keys of all blobs, sorted. */
export async function blobKeys(blobs: Pick<Blobs, 'list'>): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list()) keys.push(key);
  return keys.toSorted();
}

/** Replaces the bytes of a blob, in the folder or the object store. */
export async function changeBlob(
  { storage, dataFolder }: StoreLocation,
  key: string,
  change: (bytes: Buffer) => Uint8Array,
): Promise<void> {
  if (storage === null) {
    const file = join(dataFolder ?? '', BLOBS_FOLDER, blobPath(key));
    writeFileSync(file, change(readFileSync(file)));
    return;
  }
  const bucket = new Bucket(storage, process.env);
  const path = `blobs/${blobPath(key)}`;
  const object = await bucket.get(path, null);
  if (object === null) throw new Error(`no blob ${key}`);
  const parts: Uint8Array[] = [];
  for await (const part of bucket.chunks(object)) parts.push(part);
  const bytes = change(Buffer.concat(parts));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await bucket.put(
    path,
    { size: bytes.length, sha256, open: () => bytes },
    { contentType: 'x/x', cacheControl: 'x' },
  );
  bucket.close();
}
