import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { copyBlobs } from '../../../src/server/blobs/copy-blobs.ts';

it('closes a blob that the destination does not read', async () => {
  let isClosed = false;
  const stream = new ReadableStream<Uint8Array>({
    cancel: () => {
      isClosed = true;
    },
  });
  const from = { open: async () => ({ size: 1, stream }) };
  const to = { stat: async () => null, restore: () => Promise.reject(new Error('the disk is full')) };
  const version = { crate: 'foo', version: '1.0.0', checksum: '', size: 1, blobKey: 'key' };
  await expect(copyBlobs([version], { from, to })).rejects.toThrow('the disk is full');
  expect(isClosed).toBe(true);
});

it('fails only after all copies in progress have ended', async () => {
  const ended: string[] = [];
  const from = { open: async () => ({ size: 1, stream: new ReadableStream<Uint8Array>() }) };
  const to = {
    stat: async () => null,
    async restore(key: string) {
      if (key === 'bad') throw new Error('the disk is full');
      await sleep(20);
      ended.push(key);
    },
  };
  const versions = ['bad', 'good'].map((blobKey) => ({
    ...{ crate: 'foo', version: '1.0.0', checksum: '', size: 1, blobKey },
  }));
  await expect(copyBlobs(versions, { from, to })).rejects.toThrow('the disk is full');
  expect(ended).toEqual(['good']);
});
