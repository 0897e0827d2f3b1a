/** A thread that unpacks packages, one after the other. `UnpackThreads` starts it. */
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { unpackArchive } from './unpack-package.ts';
import type { UnpackOrder } from './unpack-threads.ts';

parentPort?.on('message', ({ archive, ...place }: UnpackOrder) => {
  let isUnpacked = true;
  try {
    unpackArchive(readFileSync(archive), place);
  } catch {
    // Whoever ordered it does it again, and so has the error whole.
    isUnpacked = false;
  }
  parentPort?.postMessage(isUnpacked);
});
