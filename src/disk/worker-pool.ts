/** Threads that share the work of one operation: unpacking and reading packages. */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { silentWorker, threadProgram } from './silent-worker.ts';

/** A package to unpack. */
export interface UnpackTask {
  readonly kind: 'unpack';
  /** Absolute path of the `.crate`, whose checksum is right; or one that has just come. */
  readonly archive: string | ArrivedCrate;
  /** As of `unpackArchive`. */
  readonly parent: string;
  readonly dirName: string;
  /** As of `vendorCrate`, where the package is to be vendored; else it becomes one of the cache. */
  readonly vendored?: { readonly root: string; readonly checksum: string | null };
}

/** A `.crate` that is to be kept, if it is right. */
export interface ArrivedCrate {
  /** Copied, unless threads share their memory. */
  readonly bytes: Uint8Array;
  readonly checksum: string;
  /** Absolute path of the file that it becomes. */
  readonly path: string;
}

const PROGRAM = threadProgram('worker');

/** A thread takes some 20 ms to start: fewer packages than this are done sooner without. */
const MIN_PACKAGES = 8;

/** More threads than this wait for the file system. */
const MAX_THREADS = 4;

/** Threads of one operation. They start when they are first needed, and must be closed. */
export class WorkerPool {
  #isWorthwhile = false;
  /** True once a thread has failed, or where none can be had: what is not begun is left to the caller. */
  #isBroken = PROGRAM === null;
  /** How many threads may still be started. */
  #free = Math.min(availableParallelism(), MAX_THREADS);
  readonly #idle: WorkerThread[] = [];
  readonly #all: WorkerThread[] = [];
  readonly #waiting: ((thread: WorkerThread | null) => void)[] = [];

  /** Says how many packages there are. Unless they are enough once, no thread is started. */
  expect(packages: number): void {
    this.#isWorthwhile ||= packages >= MIN_PACKAGES;
  }

  /** True if threads are or will be started. */
  get isUsable(): boolean {
    return this.#isWorthwhile && !this.#isBroken;
  }

  /** Starts all threads, if they are worth it, for work that will be there a moment later. */
  start(count = this.#free): void {
    for (let left = count; left > 0 && this.isUsable && this.#free > 0; left -= 1) {
      const thread = this.#begin();
      if (thread !== null) this.#giveBack(thread);
    }
  }

  /** Runs a task. null if it failed or no thread can be had: then it is still to be done. */
  async run<Task extends { readonly kind: string }, Result>(task: Task): Promise<Result | null> {
    const thread = await this.#take();
    if (thread === null) return null;
    const answer = await thread.run<Result>(task);
    if (answer === null) this.#giveUp();
    else this.#giveBack(thread);
    return answer?.result ?? null;
  }

  /**
   * Unpacks a package. False if that failed or no thread can be had: then it is still to be done, and nothing is left but
   * its `.crate`, if that is right.
   */
  async unpack(task: Omit<UnpackTask, 'kind'>): Promise<boolean> {
    return (await this.run<UnpackTask, boolean>({ kind: 'unpack', ...task })) ?? false;
  }

  /** Ends the threads; nothing may be under way. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map((thread) => thread.close()));
  }

  async #take(): Promise<WorkerThread | null> {
    if (!this.isUsable) return null;
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#free > 0) return this.#begin();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #begin(): WorkerThread | null {
    this.#free -= 1;
    try {
      const thread = new WorkerThread(PROGRAM ?? '');
      this.#all.push(thread);
      return thread;
    } catch {
      this.#giveUp();
      return null;
    }
  }

  #giveBack(thread: WorkerThread): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(thread);
    else next(thread);
  }

  /** A thread that does not answer is no thread; the rest is done without. */
  #giveUp(): void {
    this.#isBroken = true;
    for (const next of this.#waiting.splice(0)) next(null);
  }
}

/** What a thread says of a task: its result, or null where it failed. */
export interface TaskResult<Result> {
  readonly result: Result | null;
}

/** A thread that has at most one task at a time. */
class WorkerThread {
  readonly #worker: Worker;
  #hasEnded = false;
  #settle: (said: TaskResult<never> | null) => void = () => {};

  constructor(program: string) {
    this.#worker = silentWorker(program);
    const end = (): void => {
      this.#hasEnded = true;
      this.#settle(null);
    };
    this.#worker.on('message', (said: TaskResult<never>) => this.#settle(said));
    this.#worker.on('error', end).on('exit', end);
  }

  /** What the thread says; null if it ended instead. */
  run<Result>(task: object): Promise<TaskResult<Result> | null> {
    if (this.#hasEnded) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#worker.postMessage(task);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
