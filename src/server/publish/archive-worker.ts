/** A thread that checks archives for `ArchiveChecks` and reads them for `CrateSources`, one after the other. */
import { parentPort } from 'node:worker_threads';
import { runSourceTask, type SourceTask } from '../source/source-task.ts';
import { checkArchive, type ArchiveTask } from './archive-check.ts';

parentPort?.on('message', (task: ArchiveTask | SourceTask) =>
  parentPort?.postMessage('kind' in task ? runSourceTask(task) : checkArchive(task)),
);
parentPort?.postMessage('ready');
