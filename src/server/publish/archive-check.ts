/** Checks archives where they hold up nothing else. */
import { availableParallelism } from 'node:os';
import { inspectCrate, type InspectOptions } from '../../archive/inspect-crate.ts';
import { threadProgram } from '../../disk/silent-worker.ts';
import { TsregError } from '../../errors/error.ts';
import type { PublishMetadata } from '../../protocol/publish-metadata.ts';
import { TaskFailure, TaskThreads } from '../task-threads.ts';
import type { WaitOptions } from '../upstream/slots.ts';
import { checkManifest } from './check-manifest.ts';

/** An archive, and what was sent with it. */
export interface ArchiveTask {
  readonly archive: Uint8Array<ArrayBuffer>;
  readonly options: InspectOptions;
  /** Checked already. */
  readonly metadata: PublishMetadata;
}

/** Why an archive is refused, as far as that can be sent from one thread to another. */
export interface ArchiveProblem {
  readonly code: TsregError['code'];
  readonly message: string;
}

const PROGRAM = threadProgram('archive-worker');
/** Half a gigabyte is unpacked in about two seconds. */
const DEADLINE_MS = 20_000;
const MAX_WAITING = 32;
const MAX_WAIT_MS = 30_000;
const MAX_HEAP_MB = 512;

/** What is wrong with an archive; null if nothing is. */
export function checkArchive({ archive, options, metadata }: ArchiveTask): ArchiveProblem | null {
  try {
    checkManifest(inspectCrate(archive, options), metadata);
    return null;
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** Checks archives on threads, each within 20 seconds. */
export class ArchiveChecks {
  readonly #threads =
    PROGRAM === null
      ? null
      : new TaskThreads({
          program: PROGRAM,
          // One processor is left for everything else.
          count: availableParallelism() > 2 ? 2 : 1,
          deadlineMs: DEADLINE_MS,
          maxWaiting: MAX_WAITING,
          maxWaitMs: MAX_WAIT_MS,
          maxHeapMb: MAX_HEAP_MB,
        });

  /**
   * As `checkArchive`; `prepare` is called once there is a thread for it, so that few archives are in memory at once. What
   * takes too long or too much memory is a problem of the archive's. Rejects with a `TaskFailure` where too many wait.
   */
  async check(prepare: () => Promise<ArchiveTask>, wait: WaitOptions = {}): Promise<ArchiveProblem | null> {
    if (this.#threads === null) return checkArchive(await prepare());
    try {
      const said = await this.#threads.run(async () => {
        const task = await prepare();
        return { message: task, transfer: [task.archive.buffer] };
      }, wait);
      return isProblem(said) ? said : null;
    } catch (error) {
      if (!(error instanceof TaskFailure) || error.kind !== 'too-much') throw error;
      return { code: 'limit', message: `the archive is too much work to check: ${error.message}` };
    }
  }
}

function isProblem(said: unknown): said is ArchiveProblem {
  return typeof said === 'object' && said !== null && 'code' in said && 'message' in said;
}
