const PIECE_BYTES = 64 * 1024;
/** The most bytes of UTF-8 per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** A buffered writer. Combines many small parts into few large pieces, so that they are never all in memory at once. */
export class PieceWriter {
  readonly #write: (piece: Uint8Array) => void;
  readonly #piece: Buffer;
  #length = 0;

  /** Each piece has `pieceBytes`, except the last one. A piece is valid only until `write` returns. */
  constructor(write: (piece: Uint8Array) => void, pieceBytes: number = PIECE_BYTES) {
    this.#write = write;
    this.#piece = Buffer.allocUnsafeSlow(pieceBytes);
  }

  /** Adds a part. A string is encoded as UTF-8. */
  readonly add = (part: string | Uint8Array): void => {
    const piece = this.#piece;
    if (typeof part === 'string' && part.length * MAX_BYTES_PER_UNIT < piece.length - this.#length) {
      this.#length += piece.write(part, this.#length);
      return;
    }
    let rest: Uint8Array = typeof part === 'string' ? Buffer.from(part) : part;
    for (let room = piece.length - this.#length; rest.length >= room; room = piece.length) {
      piece.set(rest.subarray(0, room), this.#length);
      this.#length = 0;
      this.#write(piece);
      rest = rest.subarray(room);
    }
    piece.set(rest, this.#length);
    this.#length += rest.length;
  };

  /** Writes the remaining bytes. */
  end(): void {
    if (this.#length > 0) this.#write(this.#piece.subarray(0, this.#length));
    this.#length = 0;
  }
}
