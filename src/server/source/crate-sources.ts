/** The source code of crates, read from their archives on a thread. */
import { threadProgram } from '../../io/disk/silent-worker.ts';
import type { ServerContext } from '../server-context.ts';
import { BoundedCache } from '../shared/bounded-cache.ts';
import { CoalescedTasks } from '../shared/coalesced-tasks.ts';
import type { Log } from '../shared/log.ts';
import { reasonOf } from '../shared/reason-of.ts';
import { Slots } from '../shared/slots.ts';
import { isStoreAway } from '../shared/store-away.ts';
import { TaskFailure, taskThreads } from '../shared/task-threads.ts';
import type { StatedLicense } from '../store/mirror-status.ts';
import type { DownloadableVersion } from '../store/values.ts';
import type { Comparison } from './compare-sources.ts';
import type { SourceArchive, SourceFile } from './crate-files.ts';
import type { PackageFacts } from './package-facts.ts';
import type { PackageSummary } from './package-summary.ts';
import { readBlob } from './read-blob.ts';
import { SourceProblem } from './source-problem.ts';
import {
  buffersOf,
  isSourceResult,
  runSourceTask,
  type SourceResult,
  type SourceTask,
} from './source-task.ts';

/** A request for source code. */
export interface SourceRequest {
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** The client, none of which delays the others. */
  readonly owner: string;
}

/** Makes a task. The signal is aborted when all its clients have gone away. */
type PrepareTask = (signal: AbortSignal) => Promise<SourceTask>;

/** null if tsreg runs from its sources: archives are then read on this thread. */
const PROGRAM = threadProgram('archive-worker');
/** Unpacking half a gigabyte takes about two seconds. */
const DEADLINE_MS = 20_000;
/** Maximum requests that wait for the thread. */
const MAX_WAITING = 32;
const MAX_WAIT_MS = 10_000;
const MAX_HEAP_MB = 512;
/** Larger archives are not read. */
const MAX_ARCHIVE_BYTES = 128 * 1024 * 1024;
/** Memory for lists of files. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
const BYTES_PER_FILE = 96;
/** Memory for facts, and of an entry besides its description. */
const MAX_CACHED_FACTS_BYTES = 8 * 1024 * 1024;
const BYTES_PER_FACTS = 256;
const MAX_LOGGED_FACTS = 20_000;
/** Maximum requests that wait for facts. The others get none at once: their pages can be shown without. */
const MAX_WAITING_FACTS = 4;
const MAX_FACTS_WAIT_MS = 500;

/** Reads archives. All methods except `facts` throw `SourceProblem` if an archive cannot be read. */
export class CrateSources {
  readonly #context: Pick<ServerContext, 'blobs' | 'settings' | 'log'>;
  readonly #threads = taskThreads(PROGRAM, {
    // Not those of publishing, which readers must not delay.
    count: 1,
    deadlineMs: DEADLINE_MS,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    maxHeapMb: MAX_HEAP_MB,
  });
  readonly #tasks = new CoalescedTasks<SourceResult>();
  /** By checksum. */
  readonly #lists = new BoundedCache<readonly SourceFile[]>(MAX_CACHED_BYTES);
  /** By checksum. */
  readonly #facts = new BoundedCache<{ readonly facts: PackageFacts | null }>(MAX_CACHED_FACTS_BYTES);
  /** Reads one archive at a time, so that facts cannot fill the queue of the thread. */
  readonly #factsSlots = new Slots(1, MAX_WAITING_FACTS, { maxWaitMs: MAX_FACTS_WAIT_MS });
  /** Checksums of archives that the log names because of their facts. */
  readonly #loggedFacts = new BoundedCache<true>(MAX_LOGGED_FACTS);

  constructor(context: Pick<ServerContext, 'blobs' | 'settings' | 'log'>) {
    this.#context = context;
  }

  /** Returns the files of a version. */
  async list(version: DownloadableVersion, request: SourceRequest): Promise<readonly SourceFile[]> {
    const cached = this.#lists.get(version.checksum);
    if (cached !== null) return cached;
    const result = await this.#run(`list ${version.checksum}`, request, async (signal) => ({
      kind: 'list',
      archive: await this.#archive(version, signal),
    }));
    if (result.kind !== 'list') throw unexpectedResult(result);
    const { files } = result;
    const size = files.reduce((total, { path }) => total + BYTES_PER_FILE + 2 * path.length, 0);
    this.#lists.set(version.checksum, files, size);
    return files;
  }

  /** Returns the content of a file; null if there is none. `list` must have returned the files of the version. */
  async read(
    version: DownloadableVersion,
    path: string,
    request: SourceRequest,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    const result = await this.#run(`read ${version.checksum} ${path}`, request, async (signal) => ({
      kind: 'read',
      archive: await this.#archive(version, signal),
      path,
    }));
    if (result.kind !== 'read') throw unexpectedResult(result);
    return result.content;
  }

  /** Returns the facts of a version; null if its archive cannot be read, or not soon. Does not throw. */
  async facts(version: DownloadableVersion, request: SourceRequest): Promise<PackageFacts | null> {
    const cached = this.#facts.get(version.checksum);
    if (cached !== null) return cached.facts;
    const { signal, owner } = request;
    const busy = (): Error => new SourceProblem('busy', 'too many archives are being read');
    try {
      return await this.#factsSlots.run(() => this.#nextFacts(version, request), busy, { owner });
    } catch (error) {
      const isExpected = error instanceof SourceProblem || isStoreAway(error) || signal.aborted;
      const { crate, version: number, checksum } = version;
      if (!isExpected)
        this.#logOnce(checksum).error('facts-failed', { crate, version: number, reason: reasonOf(error) });
      return null;
    }
  }

  /** Returns facts that an earlier request may have read meanwhile. Caches only results that cannot change. */
  async #nextFacts(version: DownloadableVersion, request: SourceRequest): Promise<PackageFacts | null> {
    const { checksum } = version;
    const { facts } = this.#facts.get(checksum) ?? { facts: await this.#readFacts(version, request) };
    this.#facts.set(checksum, { facts }, BYTES_PER_FACTS + 2 * (facts?.description?.length ?? 0));
    return facts;
  }

  /** Returns null for an archive that will never be readable. */
  async #readFacts(version: DownloadableVersion, request: SourceRequest): Promise<PackageFacts | null> {
    const { checksum, size } = version;
    if (size > MAX_ARCHIVE_BYTES) return null;
    // Read before it is its turn, so that a slow store does not delay the other tasks of the thread.
    const archive = await this.#archive(version, request.signal, this.#logOnce(checksum));
    const result = await this.#outcome(`facts ${checksum}`, request, async (signal) => {
      signal.throwIfAborted();
      return { kind: 'facts', archive };
    });
    if (result.kind === 'problem') return null;
    if (result.kind !== 'facts') throw unexpectedResult(result);
    return result.facts;
  }

  /** Returns a log that names an archive once, not for each page. */
  #logOnce(checksum: string): Pick<Log, 'error'> {
    return {
      error: (event, values) => {
        if (this.#loggedFacts.get(checksum) !== null) return;
        this.#loggedFacts.set(checksum, true, 1);
        this.#context.log.error(event, values);
      },
    };
  }

  /** Returns the description, readme and links of a version. */
  async summarize(version: DownloadableVersion, request: SourceRequest): Promise<PackageSummary> {
    const result = await this.#run(`summary ${version.checksum}`, request, async (signal) => ({
      kind: 'summary',
      archive: await this.#archive(version, signal),
    }));
    if (result.kind !== 'summary') throw unexpectedResult(result);
    return result.summary;
  }

  /** Returns the license of a version; `unreadable` for an archive that will never be readable. */
  async license(version: DownloadableVersion, request: SourceRequest): Promise<StatedLicense> {
    const key = `license ${version.checksum}`;
    try {
      const result = await this.#run(key, request, async (signal) => ({
        kind: 'license',
        archive: await this.#archive(version, signal),
      }));
      if (result.kind !== 'license') throw unexpectedResult(result);
      return result.license;
    } catch (error) {
      const isLasting =
        error instanceof SourceProblem && (error.kind === 'unreadable' || error.kind === 'too-large');
      if (isLasting) return { kind: 'unreadable' };
      throw error;
    }
  }

  /** Compares two versions of a crate. */
  async compare(
    versions: { readonly old: DownloadableVersion; readonly new: DownloadableVersion },
    request: SourceRequest,
  ): Promise<Comparison> {
    const key = `compare ${versions.old.checksum} ${versions.new.checksum}`;
    const result = await this.#run(key, request, async (signal) => ({
      kind: 'compare',
      old: await this.#archive(versions.old, signal),
      new: await this.#archive(versions.new, signal),
    }));
    if (result.kind !== 'compare') throw unexpectedResult(result);
    return result.comparison;
  }

  /** As `#outcome`, but throws for a problem. */
  async #run(key: string, request: SourceRequest, prepare: PrepareTask): Promise<SourceResult> {
    const result = await this.#outcome(key, request, prepare);
    if (result.kind === 'problem')
      throw new SourceProblem(result.code === 'limit' ? 'too-large' : 'unreadable', result.message);
    return result;
  }

  /** Runs a task that `prepare` makes when the thread is free, which limits the archives in memory. */
  async #outcome(key: string, { signal, owner }: SourceRequest, prepare: PrepareTask): Promise<SourceResult> {
    return this.#tasks.run(key, signal, (tasksSignal) => this.#result(owner, () => prepare(tasksSignal)));
  }

  async #result(owner: string, prepare: () => Promise<SourceTask>): Promise<SourceResult> {
    if (this.#threads === null) return runSourceTask(await prepare());
    try {
      const result = await this.#threads.run(
        async () => {
          const task = await prepare();
          return { message: task, transfer: buffersOf(task) };
        },
        { owner },
      );
      if (!isSourceResult(result)) throw new TaskFailure('failed', 'the thread gave no result');
      return result;
    } catch (error) {
      if (!(error instanceof TaskFailure) || error.kind === 'failed') throw error;
      if (error.kind === 'busy') throw new SourceProblem('busy', error.message);
      throw new SourceProblem('too-large', error.message);
    }
  }

  async #archive(
    version: DownloadableVersion,
    signal: AbortSignal,
    log: Pick<Log, 'error'> = this.#context.log,
  ): Promise<SourceArchive> {
    const { blobs, settings } = this.#context;
    const { crate, version: number, size, blobKey: key } = version;
    if (size > MAX_ARCHIVE_BYTES)
      throw new SourceProblem('too-large', `the archive has more than ${MAX_ARCHIVE_BYTES} bytes`);
    const bytes = await readBlob(blobs, version, { signal });
    if (bytes === null) {
      if (version.isEvictable === true)
        throw new SourceProblem(
          'evicted',
          `the file of crate \`${crate}\` version \`${number}\` is not cached`,
        );
      log.error('blob-missing', { crate, version: number, key });
      throw new SourceProblem('missing', `the file of crate \`${crate}\` version \`${number}\` is damaged`);
    }
    const { maxUnpackedBytes, maxFiles } = settings.limits;
    return { bytes, options: { topFolder: `${crate}-${number}`, maxUnpackedBytes, maxFiles } };
  }
}

function unexpectedResult({ kind }: SourceResult): TaskFailure {
  return new TaskFailure('failed', `the thread gave the result of another task: ${kind}`);
}
