/** The bytes of a piece by default: the capacity of a pipe on Linux. pipe(7). */
const CHUNK_BYTES = 64 * 1024;
/** The most bytes of UTF-8 per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** A buffered writer. Combines many small parts into few large pieces, so that they are never all in memory at once. */
export class BufferedWriter {
  readonly #write: (chunk: Uint8Array) => void;
  readonly #chunk: Buffer;
  /** The bytes of `#chunk` that are filled. */
  #length = 0;

  /** Each piece has `chunkBytes`, except the last one. A piece is valid only until `write` returns. */
  constructor(write: (chunk: Uint8Array) => void, chunkBytes: number = CHUNK_BYTES) {
    this.#write = write;
    this.#chunk = Buffer.allocUnsafeSlow(chunkBytes);
  }

  /** Adds a part. A string is encoded as UTF-8. It is a property, so that it can be passed as a function. */
  readonly add = (part: string | Uint8Array): void => {
    const chunk = this.#chunk;
    if (typeof part === 'string' && part.length * MAX_BYTES_PER_UNIT < chunk.length - this.#length) {
      this.#length += chunk.write(part, this.#length);
      return;
    }
    let bytes: Uint8Array = typeof part === 'string' ? Buffer.from(part) : part;
    for (let room = chunk.length - this.#length; bytes.length >= room; room = chunk.length) {
      chunk.set(bytes.subarray(0, room), this.#length);
      this.#length = 0;
      this.#write(chunk);
      bytes = bytes.subarray(room);
    }
    chunk.set(bytes, this.#length);
    this.#length += bytes.length;
  };

  /** Writes the remaining bytes. The caller must call it after the last part. */
  end(): void {
    if (this.#length > 0) this.#write(this.#chunk.subarray(0, this.#length));
    this.#length = 0;
  }
}
