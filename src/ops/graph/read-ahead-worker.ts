/** A thread that reads manifests when it is told which, and ends. `ReadAheadThread` starts it. */
import { parentPort } from 'node:worker_threads';
import { readManifests } from './read-manifests.ts';

parentPort?.once('message', (order) => {
  const read = readManifests(order);
  parentPort?.postMessage(read, [read.texts.buffer]);
});
