import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ArchiveIntake } from '../../../src/server/upstream/archive-intake.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openTestRegistry();
});
afterAll(() => registry[Symbol.asyncDispose]());

const sum = (text: string): string => createHash('sha256').update(text).digest('hex');

async function keys(): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const { key } of registry.store.blobs.list()) all.push(key);
  return all;
}

it('stores only the last attempt, and only if its checksum matches', async () => {
  const intake = new ArchiveIntake(registry.store.blobs);
  void intake.begin()(Buffer.from('half of'));
  const take = intake.begin();
  for (const part of ['all ', 'of ', 'it']) void take(Buffer.from(part));
  const blob = await intake.finish(sum('all of it'));
  await intake.discard();
  expect([blob?.checksum, blob?.size]).toEqual([sum('all of it'), 9]);
  expect(await keys()).toEqual([blob?.key]);

  const wrong = new ArchiveIntake(registry.store.blobs);
  void wrong.begin()(Buffer.from('all of that'));
  expect(await wrong.finish(sum('all of it'))).toBeNull();
  await wrong.discard();
  const empty = new ArchiveIntake(registry.store.blobs);
  expect(await empty.finish(sum(''))).toBeNull();
  await empty.discard();
  expect(await keys()).toEqual([blob?.key]);
});

it('reports a failed write at the end', async () => {
  let discarded = 0;
  const intake = new ArchiveIntake({
    begin: async () => ({
      write: () => Promise.reject(new Error('the disk is full')),
      finish: () => Promise.reject(new Error('never')),
      read: () => Promise.resolve(new Uint8Array()),
      discard: async () => void (discarded += 1),
    }),
  });
  const take = intake.begin();
  await take(Buffer.from('a'));
  await take(Buffer.from('b'));
  await expect(intake.finish(sum('ab'))).rejects.toThrow('the disk is full');
  await intake.discard();
  expect(discarded).toBe(1);
});

it('discards an attempt once, even if the next one cannot begin', async () => {
  let begun = 0;
  let discarded = 0;
  const intake = new ArchiveIntake({
    begin: () => {
      begun += 1;
      if (begun > 1) return Promise.reject(new Error('the disk is full'));
      return Promise.resolve({
        write: () => Promise.resolve(),
        finish: () => Promise.reject(new Error('never')),
        read: () => Promise.resolve(new Uint8Array()),
        discard: async () => void (discarded += 1),
      });
    },
  });
  intake.begin();
  intake.begin();
  await expect(intake.finish(sum(''))).rejects.toThrow('the disk is full');
  await intake.discard();
  expect(discarded).toBe(1);
});
