/** A thread that unpacks packages, one after the other. `UnpackThreads` starts it. */
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { unpackArchive } from './unpack-package.ts';
import type { UnpackOrder } from './unpack-threads.ts';
import { vendorCrate } from './vendor-crate.ts';

parentPort?.on('message', ({ archive, vendored, ...place }: UnpackOrder) => {
  let isUnpacked = true;
  try {
    const bytes = readFileSync(archive);
    if (vendored === undefined) unpackArchive(bytes, place);
    else vendorCrate(bytes, { ...place, ...vendored });
  } catch {
    // Whoever ordered it does it again, and so has the error whole.
    isUnpacked = false;
  }
  parentPort?.postMessage(isUnpacked);
});
