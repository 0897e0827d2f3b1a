/** Unpacking beside everything else: most of its time is the file system's, which serves several threads at once. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { dirname, extname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';

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

declare const BUNDLE_FILE: string | undefined;

/** The thread's program, which a build has beside every other file of it; null where the sources run as they are. */
const PROGRAM =
  typeof BUNDLE_FILE === 'undefined'
    ? null
    : join(dirname(BUNDLE_FILE), `unpack-worker${extname(BUNDLE_FILE)}`);

/** A thread takes some 20 ms to start: fewer packages than this are unpacked sooner without. */
const MIN_PACKAGES = 8;

/** More threads than this wait for the file system. */
const MAX_THREADS = 4;

/** Threads for one fetch of some packages. They start when they are first needed, and must be closed. */
export class UnpackThreads {
  /** False where no thread can be had (any more): what is not begun is left to the caller. */
  #isOpen: boolean;
  /** How many threads may still be started. */
  #free: number;
  readonly #idle: Worker[] = [];
  readonly #all: Worker[] = [];
  readonly #waiting: ((worker: Worker | null) => void)[] = [];

  constructor(packages: number) {
    this.#isOpen = PROGRAM !== null && packages >= MIN_PACKAGES;
    this.#free = Math.min(availableParallelism(), MAX_THREADS);
  }

  /**
   * Unpacks a package. False if that failed or no thread can be had: then it is still to be done, and nothing is left but
   * its `.crate`, if that is right.
   */
  async unpack(order: UnpackOrder): Promise<boolean> {
    const worker = await this.#take();
    if (worker === null) return false;
    const answer = await ask(worker, order);
    if (answer === null) this.#giveUp();
    else this.#giveBack(worker);
    return answer ?? false;
  }

  /** Ends the threads; nothing may be under way. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()));
  }

  async #take(): Promise<Worker | null> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (!this.#isOpen) return null;
    if (this.#free > 0) {
      this.#free -= 1;
      const { Worker } = await import('node:worker_threads');
      const worker = new Worker(PROGRAM ?? '');
      this.#all.push(worker);
      return worker;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #giveBack(worker: Worker): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(worker);
    else next(worker);
  }

  /** A thread that does not answer is no thread; the rest is done without. */
  #giveUp(): void {
    this.#isOpen = false;
    for (const next of this.#waiting.splice(0)) next(null);
  }
}

/** True or false as the thread answers; null if it ended instead. */
async function ask(worker: Worker, order: UnpackOrder): Promise<boolean | null> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    const answer = once(worker, 'message', { signal });
    const end = once(worker, 'exit', { signal });
    worker.postMessage(order);
    const [said]: unknown[] = await Promise.race([answer, end.then(() => [null])]);
    return typeof said === 'boolean' ? said : null;
  } catch {
    return null;
  } finally {
    ended.abort();
  }
}
