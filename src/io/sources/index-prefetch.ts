/** Prefetches index files. */
import type { Outcome } from '../http/retry.ts';
import type { IndexFile } from './index-cache.ts';

/** The number of requests that servers process at once on one connection. */
const CONCURRENCY = 100;

/** A prefetched file. */
export interface PrefetchedFile {
  /** The cached file, whose revision was sent with the request; null if there was none. */
  readonly cached: IndexFile | null;
  readonly outcome: Promise<Outcome>;
}

/**
 * Requests that are sent in advance, some at a time, instead of round by round as a search needs them. Nothing is
 * reported or written until `take`.
 */
export class IndexPrefetch {
  readonly #waiting = new Map<string, () => PrefetchedFile | null>();
  readonly #begun = new Map<string, PrefetchedFile>();
  #underWay = 0;

  /**
   * Prefetches files of the index (`ab/cd/abcdef`) in order, except those already requested. `begin` sends a request,
   * or returns null if there is no need.
   */
  ask(paths: Iterable<string>, begin: (path: string) => PrefetchedFile | null): void {
    for (const path of paths) if (!this.#begun.has(path)) this.#waiting.set(path, () => begin(path));
    this.#beginWaiting();
  }

  /** Returns and forgets a prefetched file. If it was not requested yet, cancels it and returns null. */
  take(path: string): PrefetchedFile | null {
    this.#waiting.delete(path);
    const file = this.#begun.get(path) ?? null;
    this.#begun.delete(path);
    return file;
  }

  /** Sends no further requests, and forgets all files. */
  stop(): void {
    this.#waiting.clear();
    this.#begun.clear();
  }

  #beginWaiting(): void {
    for (const [path, begin] of this.#waiting) {
      if (this.#underWay >= CONCURRENCY) return;
      this.#waiting.delete(path);
      const file = begin();
      if (file === null) continue;
      this.#begun.set(path, file);
      this.#underWay += 1;
      const ended = (): void => {
        this.#underWay -= 1;
        this.#beginWaiting();
      };
      file.outcome.then(ended, ended);
    }
  }
}
