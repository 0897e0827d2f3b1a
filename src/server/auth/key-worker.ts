/** A thread that derives keys, one after the other. `KeyThreads` starts it. */
import { parentPort } from 'node:worker_threads';
import { deriveKey, type KeyOrder } from './derive-key.ts';

parentPort?.on('message', (order: KeyOrder) => parentPort?.postMessage(tryToDerive(order)));

/** Returns the key, or the message of the error. */
function tryToDerive(order: KeyOrder): Uint8Array | string {
  try {
    return deriveKey(order);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
