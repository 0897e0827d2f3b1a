/** A thread that reads manifests, and ends. `ReadAhead` starts it. */
import { parentPort, workerData } from 'node:worker_threads';
import { readManifests } from './read-manifests.ts';

const read = readManifests(workerData);
parentPort?.postMessage(read, [read.texts.buffer]);
