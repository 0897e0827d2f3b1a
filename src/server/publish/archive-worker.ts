/** The thread program that `ArchiveChecks` starts. Checks archives one after the other. */
import { parentPort } from 'node:worker_threads';
import { checkArchive, type ArchiveTask } from './archive-check.ts';

parentPort?.on('message', (task: ArchiveTask) => parentPort?.postMessage(checkArchive(task)));
parentPort?.postMessage('ready');
