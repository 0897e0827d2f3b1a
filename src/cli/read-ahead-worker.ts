/** The thread that reads manifests ahead, as the command line has it: what V8 makes of its program is kept. */
import { parentPort } from 'node:worker_threads';
import type * as program from '../ops/graph/read-manifests.ts';
import { holdBackV8, openFiles, takeV8Over, underOwnFlags } from '../start/open-files.ts';

/** Of the file that the build makes; Node's own module of that name would take a millisecond. */
const load: NodeJS.Require = require;

takeV8Over();
const files = openFiles(process.env);
const { readManifests }: typeof program = underOwnFlags(() =>
  files === null ? load('./read-ahead.cjs') : files.load('read-ahead'),
);
parentPort?.once('message', (order) => {
  // Now that both threads have loaded all that they need of the program and of Node.
  holdBackV8(2);
  const read = readManifests(order);
  parentPort?.postMessage(read, [read.texts.buffer]);
  files?.keep();
});
