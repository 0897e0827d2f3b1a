/** Checks archives on threads, so that other requests are not delayed. */
import { availableParallelism } from 'node:os';
import { inspectCrate, type InspectOptions } from '../../io/archive/inspect-crate.ts';
import { threadProgram } from '../../io/disk/silent-worker.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { TaskFailure, taskThreads } from '../shared/task-threads.ts';
import type { WaitOptions } from '../shared/slots.ts';
import { checkManifest } from './check-manifest.ts';

/** An archive and its metadata. */
export interface ArchiveTask {
  readonly archive: Uint8Array<ArrayBuffer>;
  readonly options: InspectOptions;
  /** Must have passed `checkMetadata`. */
  readonly metadata: PublishMetadata;
}

/** The reason why an archive is rejected, in a form that threads can exchange. */
export interface ArchiveProblem {
  readonly code: TsregError['code'];
  readonly message: string;
}

/** null if tsreg runs from its sources: checks then run on this thread. */
const PROGRAM = threadProgram('archive-worker');
/** Unpacking half a gigabyte takes about two seconds. */
const DEADLINE_MS = 20_000;
/** Maximum archives that wait for a thread. */
const MAX_WAITING = 32;
const MAX_WAIT_MS = 30_000;
const MAX_HEAP_MB = 512;

/** Returns the problem of an archive; null if there is none. */
export function checkArchive({ archive, options, metadata }: ArchiveTask): ArchiveProblem | null {
  try {
    checkManifest(inspectCrate(archive, options), metadata);
    return null;
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** Threads that check archives, each within 20 seconds. */
export class ArchiveChecks {
  readonly #threads = taskThreads(PROGRAM, {
    // Leaves a processor for everything else.
    count: availableParallelism() > 2 ? 2 : 1,
    deadlineMs: DEADLINE_MS,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    maxHeapMb: MAX_HEAP_MB,
  });

  /**
   * Checks an archive as `checkArchive` does. Calls `prepare` when a thread is free, which limits the archives in
   * memory. Too much time or memory counts as a problem of the archive. Rejects with `TaskFailure` if too many wait.
   */
  async check(prepare: () => Promise<ArchiveTask>, wait: WaitOptions = {}): Promise<ArchiveProblem | null> {
    if (this.#threads === null) return checkArchive(await prepare());
    try {
      const result = await this.#threads.run(async () => {
        const task = await prepare();
        return { message: task, transfer: [task.archive.buffer] };
      }, wait);
      return isProblem(result) ? result : null;
    } catch (error) {
      if (!(error instanceof TaskFailure) || error.kind !== 'too-much') throw error;
      return { code: 'limit', message: `the archive is too much work to check: ${error.message}` };
    }
  }
}

function isProblem(result: unknown): result is ArchiveProblem {
  return typeof result === 'object' && result !== null && 'code' in result && 'message' in result;
}
