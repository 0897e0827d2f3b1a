/** Input of a tar archive. */
import type { TsregError } from '../../core/errors/error.ts';
import { archiveError } from './archive-error.ts';

/** The bytes of an archive, which arrive in parts. */
export class TarInput {
  readonly #parts: Iterator<Uint8Array, boolean, undefined>;
  #part: Buffer = Buffer.alloc(0);
  /** The number of bytes of `#part` that were read. */
  #offset = 0;
  /** True if the input has ended too early. Known only when a method has met the end. */
  isCut = false;

  /** Each part is valid until the next call of `next`. `parts` returns true if it ends too early. */
  constructor(parts: Iterator<Uint8Array, boolean, undefined>) {
    this.#parts = parts;
  }

  /** Returns some of the next bytes, at most `maxBytes`; null if there are none. They are valid until the next call. */
  readSome(maxBytes: number): Buffer | null {
    if (maxBytes <= 0 || !this.#fill()) return null;
    const bytes = this.#part.subarray(this.#offset, this.#offset + maxBytes);
    this.#offset += bytes.length;
    return bytes;
  }

  /** Returns the next `size` bytes in one piece; fewer at the end. They are valid until the next call. */
  readWhole(size: number): Buffer {
    const first = this.readSome(size) ?? Buffer.alloc(0);
    if (first.length === size || first.length === 0) return first;
    const pieces = [Buffer.from(first)];
    let missingBytes = size - first.length;
    for (let next = this.readSome(missingBytes); next !== null; next = this.readSome(missingBytes)) {
      pieces.push(Buffer.from(next));
      missingBytes -= next.length;
    }
    return Buffer.concat(pieces);
  }

  /** Skips `size` bytes. Throws `archive` if the input ends before. */
  skip(size: number): void {
    let remainingBytes = size;
    while (remainingBytes > 0) {
      if (!this.#fill()) throw this.endError('unexpected EOF during skip');
      const count = Math.min(remainingBytes, this.#part.length - this.#offset);
      this.#offset += count;
      remainingBytes -= count;
    }
  }

  /** Throws `archive` unless only zeros are left. */
  expectZeros(): void {
    while (this.#fill()) {
      const unreadPart = this.#part.subarray(this.#offset);
      // All bytes are 0 if the first one is, and each one equals the next.
      if (unreadPart[0] !== 0 || !unreadPart.subarray(1).equals(unreadPart.subarray(0, -1)))
        throw archiveError('the archive has data after its end');
      this.#offset = this.#part.length;
    }
  }

  /** Returns the error for an input that has ended. `message` applies to a complete one. */
  endError(message: string): TsregError {
    return archiveError(this.isCut ? 'unexpected end of file' : message);
  }

  /** Makes sure that `#part` has bytes to read. Returns false at the end. */
  #fill(): boolean {
    while (this.#offset === this.#part.length) {
      const next = this.#parts.next();
      if (next.done === true) {
        this.isCut = next.value;
        return false;
      }
      const { buffer, byteOffset, length } = next.value;
      this.#part = Buffer.from(buffer, byteOffset, length);
      this.#offset = 0;
    }
    return true;
  }
}
