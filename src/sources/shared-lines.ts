/** Lines of index files that one thread looks up and another takes, in memory that both see. */
import { ScratchReader } from '../disk/scratch-reader.ts';
import { placeInIndexCache } from './index-cache.ts';

/** A line of an index. */
export interface ExpectedLine {
  /** Absolute path of the cached file that has it; null where there is none of this kind. */
  readonly index: string | null;
  readonly version: string;
}

/** In shared memory; the first two have a number for each line. */
export interface SharedLines {
  /** `UNREAD`, `TAKEN`, or where the line ends in `texts`. */
  readonly ends: Int32Array;
  readonly starts: Int32Array;
  /** JSON as UTF-8. What finds no room here is left to whoever needs it. */
  readonly texts: Uint8Array;
}

const UNREAD = 0;
/** Whoever is first to put this in the place of `UNREAD` reads the line. */
const TAKEN = -1;

/** More than twice of what they take on average. Of memory that is never written nothing is used. */
const BYTES_OF_LINE = 4096;

/** Memory for so many lines. */
export function makeSharedLines(count: number): SharedLines {
  const numbers = (): Int32Array =>
    new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
  const texts = new Uint8Array(new SharedArrayBuffer(count * BYTES_OF_LINE));
  return { ends: numbers(), starts: numbers(), texts };
}

/** Looks up every line that nobody has taken. `expected` has as many as there is memory for. */
export function readSharedLines(
  expected: readonly ExpectedLine[],
  { ends, starts, texts }: SharedLines,
): void {
  const scratch = new ScratchReader();
  let used = 0;
  for (const [at, { index, version }] of expected.entries()) {
    if (index === null || Atomics.compareExchange(ends, at, UNREAD, TAKEN) !== UNREAD) continue;
    const bytes = scratch.read(index);
    const place = bytes === null ? null : placeInIndexCache(bytes, version);
    if (bytes === null || place === null) continue;
    const end = used + place.end - place.start;
    if (place.start === place.end || end > texts.length) continue;
    texts.set(bytes.subarray(place.start, place.end), used);
    starts[at] = used;
    used = end;
    Atomics.store(ends, at, end);
  }
}

/** A line that the other thread has looked up; null if it has not, or just does: then whoever asks is to read it. */
export function takeSharedLine({ ends, starts, texts }: SharedLines, at: number): string | null {
  const end = Atomics.compareExchange(ends, at, UNREAD, TAKEN);
  if (end === UNREAD || end === TAKEN) return null;
  const start = starts[at] ?? end;
  return Buffer.from(texts.buffer, start, end - start).toString();
}
