/** JSON texts of packages, one behind the other in a block of bytes. */
import type { PackageView } from './package-view.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import type { RecordReader, RecordWriter } from './record.ts';

type Text = Pick<PackageView, 'head' | 'tail'>;

/** Collects texts; where each ends is written into a record. */
export class TextWriter {
  readonly #out: RecordWriter;
  readonly #parts: Uint8Array[] = [];

  constructor(out: RecordWriter) {
    this.#out = out;
  }

  write({ head, tail }: Text): void {
    this.#part(head);
    this.#part(tail);
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  #part(part: string | Uint8Array): void {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    this.#parts.push(bytes);
    this.#out.int(bytes.length);
  }
}

/** Gives the texts back in order, as views of the block. */
export class TextReader {
  readonly #in: RecordReader;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(input: RecordReader, bytes: Uint8Array) {
    this.#in = input;
    this.#bytes = bytes;
  }

  read(): { readonly head: Uint8Array; readonly tail: Uint8Array } {
    return { head: this.#part(), tail: this.#part() };
  }

  #part(): Uint8Array {
    const end = this.#at + this.#in.int();
    if (end < this.#at || end > this.#bytes.length) throw new DamagedRecordError('text');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }
}
