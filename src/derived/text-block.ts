/** Texts one behind the other in a block of bytes. */
import { DamagedRecordError } from './damaged-record-error.ts';
import type { RecordReader, RecordWriter } from './record.ts';

/** Collects texts; where each ends is written into a record. */
export class TextWriter {
  readonly #out: RecordWriter;
  readonly #parts: Uint8Array[] = [];

  constructor(out: RecordWriter) {
    this.#out = out;
  }

  write(text: string | Uint8Array): void {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    this.#parts.push(bytes);
    this.#out.int(bytes.length);
  }

  /** All of them in order. */
  finish(): readonly Uint8Array[] {
    return this.#parts;
  }
}

/** Gives the texts back in order, as views of the block. */
export class TextReader {
  readonly #in: RecordReader;
  readonly #block: Uint8Array;
  #at = 0;

  constructor(input: RecordReader, block: Uint8Array) {
    this.#in = input;
    this.#block = block;
  }

  read(): Uint8Array {
    const start = this.#at;
    const end = start + this.#in.int();
    if (end < start || end > this.#block.length) throw new DamagedRecordError('text');
    this.#at = end;
    return this.#block.subarray(start, end);
  }
}
