import type { Entry, Files, Kind } from '../files/files.ts';
import {
  type Asked,
  encodeTrace,
  EXISTS,
  KIND,
  kindBytes,
  LIST,
  listingBytes,
  type Question,
  READ,
} from './trace-record.ts';

/** Passes questions on and writes down each question and its answer, once. */
export class TracingFiles implements Files {
  readonly #files: Files;
  readonly #asked = {
    [READ]: new Set<string>(),
    [LIST]: new Set<string>(),
    [KIND]: new Set<string>(),
    [EXISTS]: new Set<string>(),
  } as const;
  readonly #answers: Asked[] = [];
  #failed = false;

  constructor(files: Files) {
    this.#files = files;
  }

  read(path: string): Uint8Array | null {
    return this.#ask(
      READ,
      path,
      () => this.#files.read(path),
      (content) => content,
    );
  }

  list(path: string): readonly Entry[] | null {
    return this.#ask(LIST, path, () => this.#files.list(path), listingBytes);
  }

  kind(path: string): Kind | null {
    return this.#ask(KIND, path, () => this.#files.kind(path), kindBytes);
  }

  exists(path: string): boolean {
    const found = this.#ask(
      EXISTS,
      path,
      () => (this.#files.exists(path) ? true : null),
      () => new Uint8Array(),
    );
    return found !== null;
  }

  /**
   * Everything that was asked so far and what the answers were, for `replayTrace`: bytes to store as
   * they are. null if a question failed: such a state cannot be compared. Lists some folders.
   */
  record(): Uint8Array | null {
    return this.#failed ? null : encodeTrace(this.#answers);
  }

  /** How much was asked so far; NaN if something that was asked cannot be compared. */
  get asked(): number {
    return this.#failed ? Number.NaN : this.#answers.length;
  }

  #ask<T>(
    question: Question,
    path: string,
    ask: () => T | null,
    encode: (answer: T) => Uint8Array,
  ): T | null {
    let answer: T | null;
    try {
      answer = ask();
    } catch (error) {
      this.#failed = true;
      throw error;
    }
    if (!this.#asked[question].has(path)) {
      this.#asked[question].add(path);
      this.#answers.push({ question, path, answer: answer === null ? null : encode(answer) });
    }
    return answer;
  }
}

/** Passes questions on and writes them down by what they are asked for. */
export class TraceSections {
  readonly #files: Files;
  readonly #sections = new Map<string, TracingFiles>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** What is asked for `section`. */
  of(section: string): TracingFiles {
    let found = this.#sections.get(section);
    if (found === undefined) this.#sections.set(section, (found = new TracingFiles(this.#files)));
    return found;
  }

  /** How much was asked so far, in all sections; NaN if something that was asked cannot be compared. */
  get asked(): number {
    let asked = 0;
    for (const files of this.#sections.values()) asked += files.asked;
    return asked;
  }

  /** What was asked for all sections but those named, as `TracingFiles.record` has it. */
  recordOfOthers(named: ReadonlySet<string>): Uint8Array | null {
    const records: Uint8Array[] = [];
    for (const [section, files] of this.#sections) {
      const record = named.has(section) ? new Uint8Array() : files.record();
      if (record === null) return null;
      records.push(record);
    }
    return Buffer.concat(records);
  }
}
