import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFolderBlobs } from '../../../src/server/blobs/folder-blobs.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';
import type { Blobs, ByteRange, FinishedBlob } from '../../../src/server/store/blobs.ts';

let temp: TempDir;
let folder: string;
let blobs: Blobs;
beforeEach(async () => {
  temp = makeTempDir('blobs');
  folder = join(temp.path, 'blobs');
  blobs = await openFolderBlobs(folder);
});
afterEach(() => temp.remove());

async function put(text: string): Promise<FinishedBlob> {
  const writer = await blobs.begin();
  for (const part of text.match(/.{1,4}/gs) ?? []) await writer.write(Buffer.from(part));
  return await writer.finish();
}

async function read(key: string, range?: ByteRange): Promise<string | null> {
  const blob = await blobs.open(key, range);
  if (blob === null) return null;
  const parts: Uint8Array[] = [];
  for await (const part of blob.stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function keys(): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { key } of blobs.list()) found.push(key);
  return found;
}

it('reads back a stored blob completely or in part', async () => {
  const { key, checksum, size } = await put('hello world');
  expect(checksum).toBe(createHash('sha256').update('hello world').digest('hex'));
  expect(key.startsWith(checksum)).toBe(true);
  expect(size).toBe(11);
  expect(await read(key)).toBe('hello world');
  expect(await read(key, { first: 4, last: 6 })).toBe('o w');
  expect(await read(key, { first: 10, last: 10 })).toBe('d');
  const part = await blobs.open(key, { first: 0, last: 0 });
  expect(part?.size).toBe(11);
  await part?.stream.cancel();
  expect(await blobs.stat(key)).toMatchObject({ key, size: 11 });
  expect(await read((await put('')).key)).toBe('');
});

it('gives each blob its own key, even if the bytes are equal', async () => {
  const [first, second] = await Promise.all([put('same'), put('same')]);
  expect(first.key).not.toBe(second.key);
  expect(await keys()).toEqual([first.key, second.key].toSorted());
  await blobs.delete(first.key);
  await blobs.delete(first.key);
  expect(await blobs.open(first.key)).toBeNull();
  expect(await blobs.stat(first.key)).toBeNull();
  expect(await read(second.key)).toBe('same');
});

it('does not list an unfinished blob and leaves nothing of a discarded one', async () => {
  const writer = await blobs.begin();
  await writer.write(Buffer.from('half'));
  expect(await keys()).toEqual([]);
  await writer.discard();
  await writer.discard();
  expect(readdirSync(folder, { recursive: true })).toEqual(['incoming']);
});

it('removes old unfinished blobs when it opens, but no recent or foreign files', async () => {
  const incoming = join(folder, 'incoming');
  mkdirSync(incoming, { recursive: true });
  const [old, young] = ['0'.repeat(32), '1'.repeat(32)];
  for (const name of [old, young, 'foreign']) writeFileSync(join(incoming, name), '');
  for (const name of [old, 'foreign']) utimesSync(join(incoming, name), 1, 1);
  await openFolderBlobs(folder);
  expect(readdirSync(incoming)).toEqual([young, 'foreign']);
});

it('rejects invalid keys', async () => {
  const bad = ['', '../registry.db', 'a'.repeat(64), `${'a'.repeat(64)}-../../../../etc`, '/etc/passwd'];
  for (const key of bad) {
    await expect(blobs.open(key)).rejects.toThrow('is not a valid key of a blob');
    await expect(blobs.delete(key)).rejects.toThrow('is not a valid key of a blob');
  }
});

it('restores a blob under its key if the checksum matches', async () => {
  const { key } = await put('hello');
  const other = await openFolderBlobs(join(temp.path, 'other'));
  const content = async function* (text: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  };
  await expect(other.restore(key, content('hellO'))).rejects.toMatchObject({ code: 'checksum' });
  expect(await other.stat(key)).toBeNull();
  await other.restore(key, content('hello'));
  expect(await other.stat(key)).toMatchObject({ size: 5 });
  expect(readdirSync(join(temp.path, 'other', 'incoming'))).toEqual([]);
  await other.ping();
});
