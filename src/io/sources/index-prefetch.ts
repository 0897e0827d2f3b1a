/** Prefetches index files. */
import type { Outcome } from '../http/retry.ts';
import type { IndexFile } from './index-cache.ts';

/** The number of requests that most servers process at once on one HTTP/2 connection. RFC 9113, section 6.5.2. */
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
  /** Functions that send the requests, by path. */
  readonly #waiting = new Map<string, () => PrefetchedFile | null>();
  /** Sent requests that `take` has not returned, by path. */
  readonly #sent = new Map<string, PrefetchedFile>();
  /** Number of sent requests without a response. */
  #running = 0;

  /**
   * Prefetches files of the index (`ab/cd/abcdef`) in order, except those already requested. `send` sends a request
   * when its turn comes, or returns null if there is no need.
   */
  start(paths: Iterable<string>, send: (path: string) => PrefetchedFile | null): void {
    for (const path of paths) if (!this.#sent.has(path)) this.#waiting.set(path, () => send(path));
    this.#sendWaiting();
  }

  /** Returns and forgets a prefetched file. If it was not requested yet, cancels it and returns null. */
  take(path: string): PrefetchedFile | null {
    this.#waiting.delete(path);
    const file = this.#sent.get(path) ?? null;
    this.#sent.delete(path);
    return file;
  }

  /** Sends no further requests, and forgets all files. */
  stop(): void {
    this.#waiting.clear();
    this.#sent.clear();
  }

  /** Sends waiting requests until `CONCURRENCY` are running. */
  #sendWaiting(): void {
    for (const [path, send] of this.#waiting) {
      if (this.#running >= CONCURRENCY) return;
      this.#waiting.delete(path);
      const file = send();
      if (file === null) continue;
      this.#sent.set(path, file);
      this.#running += 1;
      const onEnd = (): void => {
        this.#running -= 1;
        this.#sendWaiting();
      };
      file.outcome.then(onEnd, onEnd);
    }
  }
}
