/** Unpacks packages in threads: most of the time goes to the file system, which serves several threads at once. */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { present } from '../../core/errors/assert.ts';
import { silentWorker, threadProgram } from '../disk/silent-worker.ts';

/** A package to unpack. */
export interface UnpackOrder {
  /** Absolute path of a verified `.crate`, or one that was just downloaded. */
  readonly archive: string | DownloadedCrate;
  /** As in `unpackArchive`. */
  readonly parent: string;
  readonly dirName: string;
  /** As in `vendorCrate`, to vendor the package. If absent, the package is unpacked into the cache. */
  readonly vendored?: { readonly root: string; readonly checksum: string | null };
}

/** A downloaded `.crate`, to save if its checksum is right. */
export interface DownloadedCrate {
  /** Copied, unless the memory is shared between threads. */
  readonly bytes: Uint8Array;
  readonly checksum: string;
  /** Absolute path to save it to. */
  readonly path: string;
}

/** null if the source files run directly: then there are no threads. */
const PROGRAM = threadProgram('unpack-worker');

/** A thread takes about 20 ms to start: fewer packages are unpacked faster without it. */
const MIN_PACKAGES = 8;

/** More threads would only wait for the file system. */
const MAX_THREADS = 4;

/** Threads that unpack the packages of one operation. They start at first use, and must be closed. */
export class UnpackThreads {
  #isWorthwhile = false;
  /** True after a failure of a thread, or if there are no threads. The caller then does the rest. */
  #isBroken = PROGRAM === null;
  /** Number of threads that may still be started. */
  #startable = Math.min(availableParallelism(), MAX_THREADS);
  readonly #idle: UnpackThread[] = [];
  readonly #threads: UnpackThread[] = [];
  /** Callers that wait for a thread, in order. They get null if threads are given up. */
  readonly #waiters: ((thread: UnpackThread | null) => void)[] = [];

  /** Announces a number of packages. Threads start only if one such number was large enough. */
  expect(packages: number): void {
    this.#isWorthwhile ||= packages >= MIN_PACKAGES;
  }

  /** Starts all threads, if worthwhile, for packages that arrive soon. */
  start(): void {
    while (this.#isUsable && this.#startable > 0) {
      const thread = this.#startThread();
      if (thread !== null) this.#giveBack(thread);
    }
  }

  /**
   * Unpacks a package. Returns false if that failed or no thread is available: the caller must then do it. Nothing is
   * left but the `.crate`, if its checksum is right.
   */
  async unpack(order: UnpackOrder): Promise<boolean> {
    const thread = await this.#takeThread();
    if (thread === null) return false;
    const reply = await thread.unpack(order);
    if (reply === null) this.#giveUp();
    else this.#giveBack(thread);
    return reply ?? false;
  }

  /** Ends the threads; none may be working. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  get #isUsable(): boolean {
    return this.#isWorthwhile && !this.#isBroken;
  }

  /** Returns a free thread, and waits for one if necessary. Returns null if threads cannot be used. */
  async #takeThread(): Promise<UnpackThread | null> {
    if (!this.#isUsable) return null;
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#startable > 0) return this.#startThread();
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
    });
  }

  /** Starts a thread. Returns null if that fails. */
  #startThread(): UnpackThread | null {
    this.#startable -= 1;
    try {
      const thread = new UnpackThread(silentWorker(present(PROGRAM, 'the program of the threads')));
      this.#threads.push(thread);
      return thread;
    } catch {
      this.#giveUp();
      return null;
    }
  }

  #giveBack(thread: UnpackThread): void {
    const next = this.#waiters.shift();
    if (next === undefined) this.#idle.push(thread);
    else next(thread);
  }

  /** Stops using threads after a failure; the callers do the rest. */
  #giveUp(): void {
    this.#isBroken = true;
    for (const next of this.#waiters.splice(0)) next(null);
  }
}

/** A thread with at most one order at a time. */
class UnpackThread {
  readonly #worker: Worker;
  #hasEnded = false;
  /** Ends the current order with a reply; null if the thread ended. Without an order, it does nothing. */
  #settle: (reply: boolean | null) => void = () => {};

  constructor(worker: Worker) {
    this.#worker = worker;
    const end = (): void => {
      this.#hasEnded = true;
      this.#settle(null);
    };
    worker.on('message', (result: unknown) => this.#settle(typeof result === 'boolean' ? result : null));
    worker.on('error', end).on('exit', end);
  }

  /** Returns the thread's result; null if it ended instead. */
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
