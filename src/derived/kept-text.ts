import type { TextSink } from '../files/text-sink.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import type { RecordFile } from './record-file.ts';

/** A block of a record, of which is read what is asked for. */
export class KeptText {
  readonly length: number;
  readonly #file: RecordFile;
  readonly #start: number;
  #whole: Uint8Array | null = null;

  /** It starts at `start` in the file. */
  constructor(file: RecordFile, start: number, length: number) {
    this.#file = file;
    this.#start = start;
    this.length = length;
  }

  /** All of it. Throws `DamagedRecordError` where it cannot be read. */
  bytes(): Uint8Array {
    return (this.#whole ??= this.#file.bytes(this.#start, this.#start + this.length));
  }

  /** A part. Who asks for one will ask for others: all is read. Throws as `bytes`, and where it has no such part. */
  slice(from: number, to: number): Uint8Array {
    this.#check(from, to);
    return this.bytes().subarray(from, to);
  }

  /** True if it is these bytes. Throws as `bytes`. */
  equals(bytes: Uint8Array): boolean {
    let at = 0;
    let isSame = bytes.length === this.length;
    while (isSame && at < this.length) {
      const part = this.#file.glimpse(this.#start + at, this.#start + this.length);
      isSame = Buffer.compare(part, bytes.subarray(at, at + part.length)) === 0;
      at += part.length;
    }
    return isSame;
  }

  /** Gives a part to `out`, in pieces. Throws as `slice`. */
  write(from: number, to: number, out: TextSink): void {
    this.#check(from, to);
    if (this.#whole !== null) {
      out(this.slice(from, to));
      return;
    }
    for (let at = from; at < to; ) {
      const part = this.#file.glimpse(this.#start + at, this.#start + to);
      out(part);
      at += part.length;
    }
  }

  #check(from: number, to: number): void {
    if (!(from >= 0 && from <= to && to <= this.length)) throw new DamagedRecordError('text');
  }
}
