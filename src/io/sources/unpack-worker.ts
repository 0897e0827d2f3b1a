/** A thread that unpacks packages, one after another. `UnpackThreads` starts it. */
import { parentPort } from 'node:worker_threads';
import { hasChecksum, readCrate, storeCrate } from './crate-file.ts';
import { unpackArchive } from './unpack-package.ts';
import type { UnpackOrder } from './unpack-threads.ts';
import { vendorCrate } from './vendor-crate.ts';

parentPort?.on('message', (order: UnpackOrder) => {
  const reply = (isUnpacked: boolean): void => parentPort?.postMessage(isUnpacked);
  // The caller repeats the work and gets the complete error.
  unpack(order).then(reply, () => reply(false));
});

/** Returns false if the checksum is wrong. Rejects if the package cannot be unpacked. */
async function unpack({ archive, vendored, ...place }: UnpackOrder): Promise<boolean> {
  let bytes: Uint8Array;
  if (typeof archive === 'string') bytes = readCrate(archive);
  else {
    bytes = archive.bytes;
    if (!hasChecksum(bytes, archive.checksum)) return false;
    await storeCrate(archive.path, bytes);
  }
  if (vendored === undefined) unpackArchive(bytes, place);
  else vendorCrate(bytes, { ...place, ...vendored });
  return true;
}
