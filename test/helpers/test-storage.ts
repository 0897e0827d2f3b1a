import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobPath } from '../../src/server/blobs/blob-key.ts';
import { Bucket } from '../../src/server/bucket/bucket.ts';
import { BLOBS_FOLDER } from '../../src/server/open-store.ts';
import type { StoreLocation } from '../../src/server/store-location.ts';
import type { Blobs } from '../../src/server/store.ts';

/** Where the blobs of a registry under test are, and what it takes to get there. */
export interface TestStorage {
  /** For `--storage` and `StoreLocation`; null for the folder. */
  readonly storage: string | null;
  /** Variables of a program that uses it. */
  readonly env: Readonly<Record<string, string>>;
}

/** A place in the object store that `TSREG_TEST_STORAGE` names, the same for the same folder; else that folder. */
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

/** Why what is about the folder of the blobs is not tested; null where it is. */
export const FOLDER_IS_ELSEWHERE =
  (process.env['TSREG_TEST_STORAGE'] ?? '') === '' ? null : 'the .crate files are in an object store';

/** Removes what is in a place that `testStorage` named. */
export async function removeTestStorage(storage: string | null): Promise<void> {
  if (storage === null) return;
  const bucket = new Bucket(storage, process.env);
  for await (const { key } of bucket.list('')) await bucket.delete(key);
  bucket.close();
}

/** Keys of all blobs, in order. */
export async function blobKeys(blobs: Pick<Blobs, 'list'>): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list()) keys.push(key);
  return keys.toSorted();
}

/** Writes other bytes in place of those of a blob, wherever it is. */
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
