/** Packs documentation on a thread, so that other requests are not delayed. */
import { TsregError } from '../../core/errors/error.ts';
import { threadProgram } from '../../io/disk/silent-worker.ts';
import type { PackedDocumentation } from '../source/pack-documentation.ts';
import {
  type DocumentationResult,
  type DocumentationTask,
  isDocumentationResult,
  runDocumentationTask,
} from '../source/documentation-task.ts';
import type { WaitOptions } from '../shared/slots.ts';
import { TaskFailure, taskThreads } from '../shared/task-threads.ts';

/** null if tsreg runs from its sources: documentation is then packed on this thread. */
const PROGRAM = threadProgram('archive-worker');
/** To unpack and compress the largest archive takes about ten seconds. */
const DEADLINE_MS = 60_000;
/** Maximum archives that wait for the thread. */
const MAX_WAITING = 8;
const MAX_WAIT_MS = 2 * DEADLINE_MS;
const MAX_HEAP_MB = 512;

/** A thread that packs documentation, each archive within a minute. */
export class DocumentationPacking {
  readonly #threads = taskThreads(PROGRAM, {
    // One archive needs up to 200 MB of memory.
    count: 1,
    deadlineMs: DEADLINE_MS,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    maxHeapMb: MAX_HEAP_MB,
  });

  /**
   * Packs an archive as `packDocumentation` does, and throws as it does. Calls `prepare` when the thread is free, which
   * limits the archives in memory. Rejects with `TaskFailure` if too many wait.
   */
  async pack(prepare: () => Promise<DocumentationTask>, wait: WaitOptions): Promise<PackedDocumentation> {
    const result = await this.#result(prepare, wait);
    if (result.kind === 'problem') throw new TsregError(result.message, { code: result.code });
    return result.packed;
  }

  async #result(prepare: () => Promise<DocumentationTask>, wait: WaitOptions): Promise<DocumentationResult> {
    if (this.#threads === null) return runDocumentationTask(await prepare());
    try {
      const result = await this.#threads.run(async () => {
        const task = await prepare();
        return { message: task, transfer: [task.archive.buffer] };
      }, wait);
      if (!isDocumentationResult(result)) throw new TaskFailure('failed', 'the thread gave no result');
      return result;
    } catch (error) {
      if (!(error instanceof TaskFailure) || error.kind !== 'too-much') throw error;
      const message = `the archive is too much work to pack: ${error.message}`;
      return { kind: 'problem', code: 'limit', message };
    }
  }
}
