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
