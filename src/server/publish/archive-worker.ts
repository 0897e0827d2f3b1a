/** A thread that checks archives, one after the other. `ArchiveChecks` starts it. */
import { parentPort } from 'node:worker_threads';
import { checkArchive, type ArchiveTask } from './archive-check.ts';

parentPort?.on('message', (task: ArchiveTask) => parentPort?.postMessage(checkArchive(task)));
parentPort?.postMessage('ready');
