/** Questions to a file system and their answers, as bytes to store and to ask again. */
import type { ComparableFiles, Entry, Kind } from '../files/files.ts';
import { foldersOf, namesIn } from './asked-folders.ts';

/** What was asked, as one byte of a record. */
export const READ = 0;
/** What was asked, as one byte of a record. */
export const LIST = 1;
/** What was asked, as one byte of a record. */
export const KIND = 2;
/** What was asked, as one byte of a record; any answer is yes. */
export const EXISTS = 4;
/** Which names are in a folder, and the questions behind it, which find nothing as long as these are its names. */
const NAMES = 3;

/** What was asked. */
export type Question = typeof READ | typeof LIST | typeof KIND | typeof EXISTS;

/** A question and its answer as bytes; null where nothing was there. */
export interface Asked {
  readonly question: Question;
  readonly path: string;
  readonly answer: Uint8Array | null;
}

const ABSENT = 0xffff_ffff;
/** The question, the length of the path, that of the answer and that of the questions that it answers as well. */
const HEADER_BYTES = 13;
const EMPTY = new Uint8Array();
const KINDS: readonly (Kind | 'symlink')[] = ['file', 'directory', 'other', 'symlink'];

/** The record of some questions. Lists folders in which many of them found nothing. */
export function encodeTrace(asked: readonly Asked[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const answered = new Set<Asked>();
  for (const { path, names, questions } of foldersOf(asked.filter(({ answer }) => answer === null))) {
    const behind = questions.map((each) => encodeAsked(each, EMPTY));
    parts.push(encodeAsked({ question: NAMES, path, answer: Buffer.from(names) }, Buffer.concat(behind)));
    for (const each of questions) answered.add(each);
  }
  for (const each of asked) if (!answered.has(each)) parts.push(encodeAsked(each, EMPTY));
  return Buffer.concat(parts);
}

function encodeAsked(
  { question, path, answer }: Omit<Asked, 'question'> & { readonly question: number },
  behind: Uint8Array,
): Uint8Array {
  const name = Buffer.from(path);
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt8(question, 0);
  header.writeUInt32LE(name.length, 1);
  header.writeUInt32LE(answer === null ? ABSENT : answer.length, 5);
  header.writeUInt32LE(behind.length, 9);
  return Buffer.concat([header, name, answer ?? EMPTY, behind]);
}

/**
 * True if `files` gives the recorded answer to every recorded question. False as well for a record
 * that is damaged or that cannot be compared because a file may not be read any more.
 */
export function replayTrace(record: Uint8Array, files: ComparableFiles): boolean {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  const numbers = new DataView(record.buffer, record.byteOffset, record.byteLength);
  let at = 0;
  while (at < bytes.length) {
    if (at + HEADER_BYTES > bytes.length) return false;
    const question = numbers.getUint8(at);
    const answerAt = at + HEADER_BYTES + numbers.getUint32(at + 1, true);
    const answerLength = numbers.getUint32(at + 5, true);
    const answerEnd = answerLength === ABSENT ? answerAt : answerAt + answerLength;
    const end = answerEnd + numbers.getUint32(at + 9, true);
    if (end > bytes.length) return false;
    const path = bytes.toString('utf8', at + HEADER_BYTES, answerAt);
    if (question === NAMES) {
      const isSame = namesIn(path) === bytes.toString('latin1', answerAt, answerEnd);
      // What was not found may not be there though something else is.
      if (!isSame && !replayTrace(record.subarray(answerEnd, end), files)) return false;
    } else {
      const answer = answerLength === ABSENT ? null : record.subarray(answerAt, answerEnd);
      if (!isAnswer(answer, question, path, files)) return false;
    }
    at = end;
  }
  return true;
}

function isAnswer(
  answer: Uint8Array | null,
  question: number,
  path: string,
  files: ComparableFiles,
): boolean {
  try {
    if (question === READ)
      return answer === null ? files.read(path) === null : files.hasContent(path, answer);
    if (question === EXISTS) return files.exists(path) === (answer !== null);
    if (question === KIND) return answer === null ? !files.exists(path) : isKind(answer, files.kind(path));
    const entries = files.list(path);
    return answer === null || entries === null
      ? answer === entries
      : Buffer.compare(answer, listingBytes(entries)) === 0;
  } catch {
    return false;
  }
}

function isKind(answer: Uint8Array, kind: Kind | null): boolean {
  return kind !== null && answer[0] === KINDS.indexOf(kind);
}

/** A listing as an answer. */
export function listingBytes(entries: readonly Entry[]): Uint8Array {
  let text = '';
  for (const { name, kind } of entries) text += `${KINDS.indexOf(kind)}${name}/`;
  return Buffer.from(text);
}

/** A kind as an answer. */
export function kindBytes(kind: Kind): Uint8Array {
  return Buffer.of(KINDS.indexOf(kind));
}
