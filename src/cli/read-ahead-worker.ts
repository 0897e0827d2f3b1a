/** The thread that reads manifests ahead, as the command line has it: what V8 makes of its program is kept. */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type * as program from '../ops/graph/read-manifests.ts';
import { leaveV8ToThread, openFiles, underOwnFlags } from '../start/open-files.ts';

declare const BUNDLE_FILE: string;

// The other thread may have held V8 back, and leaves it to this one as soon as its program is loaded.
leaveV8ToThread();
const files = openFiles(process.env);
const { readManifests }: typeof program = underOwnFlags(() =>
  files === null ? createRequire(BUNDLE_FILE)('./read-ahead.cjs') : files.load('read-ahead'),
);
const read = readManifests(workerData);
parentPort?.postMessage(read, [read.texts.buffer]);
files?.keep();
