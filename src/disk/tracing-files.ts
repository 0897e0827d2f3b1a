import type { Entry, Files, Kind } from '../files/files.ts';

/** What was asked, as one byte of a record. */
const READ = 0;
const LIST = 1;
const KIND = 2;
type Question = typeof READ | typeof LIST | typeof KIND;

const ABSENT = 0xffff_ffff;
const HEADER_BYTES = 9;
const KINDS: readonly (Kind | 'symlink')[] = ['file', 'directory', 'other', 'symlink'];

/** Passes questions on and writes down each question and its answer, once. */
export class TracingFiles implements Files {
  readonly #files: Files;
  readonly #asked = [new Set<string>(), new Set<string>(), new Set<string>()] as const;
  readonly #parts: Uint8Array[] = [];
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

  /**
   * Everything that was asked so far and what the answers were, for `replayTrace`: bytes to store as
   * they are. null if a question failed: such a state cannot be compared.
   */
  record(): Uint8Array | null {
    return this.#failed ? null : Buffer.concat(this.#parts);
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
      this.#note(question, path, answer === null ? null : encode(answer));
    }
    return answer;
  }

  #note(question: Question, path: string, answer: Uint8Array | null): void {
    const name = Buffer.from(path);
    const header = Buffer.allocUnsafe(HEADER_BYTES);
    header.writeUInt8(question, 0);
    header.writeUInt32LE(name.length, 1);
    header.writeUInt32LE(answer === null ? ABSENT : answer.length, 5);
    this.#parts.push(header, name);
    if (answer !== null) this.#parts.push(answer);
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

/**
 * True if `files` gives the recorded answer to every recorded question. False as well for a record
 * that is damaged or that cannot be compared because a file may not be read any more.
 */
export function replayTrace(record: Uint8Array, files: Files): boolean {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  let at = 0;
  while (at < bytes.length) {
    if (at + HEADER_BYTES > bytes.length) return false;
    const question = bytes.readUInt8(at);
    const nameEnd = at + HEADER_BYTES + bytes.readUInt32LE(at + 1);
    const answerLength = bytes.readUInt32LE(at + 5);
    const end = answerLength === ABSENT ? nameEnd : nameEnd + answerLength;
    if (end > bytes.length) return false;
    const path = bytes.toString('utf8', at + HEADER_BYTES, nameEnd);
    const expected = answerLength === ABSENT ? null : bytes.subarray(nameEnd, end);
    if (!isAnswer(expected, question, path, files)) return false;
    at = end;
  }
  return true;
}

function isAnswer(expected: Buffer | null, question: number, path: string, files: Files): boolean {
  let answer: Uint8Array | null;
  try {
    answer = askAgain(question, path, files);
  } catch {
    return false;
  }
  return expected === null || answer === null ? expected === answer : expected.equals(answer);
}

function askAgain(question: number, path: string, files: Files): Uint8Array | null {
  if (question === READ) return files.read(path);
  if (question === LIST) {
    const entries = files.list(path);
    return entries === null ? null : listingBytes(entries);
  }
  const kind = files.kind(path);
  return kind === null ? null : kindBytes(kind);
}

function listingBytes(entries: readonly Entry[]): Uint8Array {
  let text = '';
  for (const { name, kind } of entries) text += `${KINDS.indexOf(kind)}${name}/`;
  return Buffer.from(text);
}

function kindBytes(kind: Kind): Uint8Array {
  return Buffer.of(KINDS.indexOf(kind));
}
