/**
 * A thread that checks archives for `ArchiveChecks`, reads them for `CrateSources` and packs them for
 * `DocumentationPacking`, one after the other.
 */
import { parentPort } from 'node:worker_threads';
import {
  buffersOfResult,
  type DocumentationTask,
  runDocumentationTask,
} from '../source/documentation-task.ts';
import { runSourceTask, type SourceTask } from '../source/source-task.ts';
import { checkArchive, type ArchiveTask } from './archive-check.ts';

parentPort?.on('message', (task: ArchiveTask | SourceTask | DocumentationTask) => {
  // Only an `ArchiveTask` has no `kind`.
  if (!('kind' in task)) return parentPort?.postMessage(checkArchive(task));
  if (task.kind !== 'documentation') return parentPort?.postMessage(runSourceTask(task));
  const result = runDocumentationTask(task);
  return parentPort?.postMessage(result, buffersOfResult(result));
});
// `TaskThreads` waits for this message before it sends the first task.
parentPort?.postMessage('ready');
