/** Unpacking beside everything else: most of its time is the file system's, which serves several threads at once. */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { silentWorker, threadProgram } from '../disk/silent-worker.ts';

/** A package to unpack. */
export interface UnpackOrder {
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

const PROGRAM = threadProgram('unpack-worker');

/** A thread takes some 20 ms to start: fewer packages than this are unpacked sooner without. */
const MIN_PACKAGES = 8;

/** More threads than this wait for the file system. */
const MAX_THREADS = 4;

/** Threads that unpack packages of one operation. They start when they are first needed, and must be closed. */
export class UnpackThreads {
  #isWorthwhile = false;
  /** True once a thread has failed, or where none can be had: what is not begun is left to the caller. */
  #isBroken = PROGRAM === null;
  /** How many threads may still be started. */
  #free = Math.min(availableParallelism(), MAX_THREADS);
  readonly #idle: UnpackThread[] = [];
  readonly #all: UnpackThread[] = [];
  readonly #waiting: ((thread: UnpackThread | null) => void)[] = [];

  /** Says how many packages there are. Unless they are enough once, no thread is started. */
  expect(packages: number): void {
    this.#isWorthwhile ||= packages >= MIN_PACKAGES;
  }

  /** Starts all threads, if they are worth it, for packages that will be there a moment later. */
  start(): void {
    while (this.#isUsable && this.#free > 0) {
      const thread = this.#begin();
      if (thread !== null) this.#giveBack(thread);
    }
  }

  /**
   * Unpacks a package. False if that failed or no thread can be had: then it is still to be done, and nothing is left but
   * its `.crate`, if that is right.
   */
  async unpack(order: UnpackOrder): Promise<boolean> {
    const thread = await this.#take();
    if (thread === null) return false;
    const answer = await thread.unpack(order);
    if (answer === null) this.#giveUp();
    else this.#giveBack(thread);
    return answer ?? false;
  }

  /** Ends the threads; nothing may be under way. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map((thread) => thread.close()));
  }

  get #isUsable(): boolean {
    return this.#isWorthwhile && !this.#isBroken;
  }

  async #take(): Promise<UnpackThread | null> {
    if (!this.#isUsable) return null;
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#free > 0) return this.#begin();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #begin(): UnpackThread | null {
    this.#free -= 1;
    try {
      const thread = new UnpackThread(silentWorker(PROGRAM ?? ''));
      this.#all.push(thread);
      return thread;
    } catch {
      this.#giveUp();
      return null;
    }
  }

  #giveBack(thread: UnpackThread): void {
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

/** A thread that has at most one order at a time. */
class UnpackThread {
  readonly #worker: Worker;
  #hasEnded = false;
  #settle: (answer: boolean | null) => void = () => {};

  constructor(worker: Worker) {
    this.#worker = worker;
    const end = (): void => {
      this.#hasEnded = true;
      this.#settle(null);
    };
    worker.on('message', (said: unknown) => this.#settle(typeof said === 'boolean' ? said : null));
    worker.on('error', end).on('exit', end);
  }

  /** True or false as the thread answers; null if it ended instead. */
  unpack(order: UnpackOrder): Promise<boolean | null> {
    if (this.#hasEnded) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#worker.postMessage(order);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
