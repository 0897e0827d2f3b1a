/** Index files that are asked for before anybody wants them. */
import type { Outcome } from '../http/retry.ts';
import type { IndexFile } from './index-cache.ts';

/** As many as servers answer at once over one connection. */
const CONCURRENCY = 100;

/** A file that was asked for. */
export interface FileAhead {
  /** What was on disk of it, and had its revision sent along; null if nothing was. */
  readonly cached: IndexFile | null;
  readonly outcome: Promise<Outcome>;
}

/**
 * Requests that go out at once, some at a time, instead of round by round as a search comes to what they are about.
 * Nothing is said of them and nothing is written until they are taken.
 */
export class IndexAhead {
  readonly #waiting = new Map<string, () => FileAhead | null>();
  readonly #begun = new Map<string, FileAhead>();
  #underWay = 0;

  /**
   * Asks for files of the index (`ab/cd/abcdef`), in their order, but for those that are asked for already. `begin` sends
   * a request, and gives null if there is no need to.
   */
  ask(paths: Iterable<string>, begin: (path: string) => FileAhead | null): void {
    for (const path of paths) if (!this.#begun.has(path)) this.#waiting.set(path, () => begin(path));
    this.#beginWaiting();
  }

  /** The file, if it was asked for; once. It is not asked for any more if it was not. */
  take(path: string): FileAhead | null {
    this.#waiting.delete(path);
    const file = this.#begun.get(path) ?? null;
    this.#begun.delete(path);
    return file;
  }

  /** Asks for nothing more, and forgets what was not taken. */
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
