/** A thread that derives keys, one after the other. `KeyThreads` starts it. */
import { parentPort } from 'node:worker_threads';
import { deriveKey, type KeyInput } from './derive-key.ts';

parentPort?.on('message', (input: KeyInput) => parentPort?.postMessage(tryToDerive(input)));

/** Returns the key, or the message of the error. */
function tryToDerive(input: KeyInput): Uint8Array | string {
  try {
    return deriveKey(input);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
