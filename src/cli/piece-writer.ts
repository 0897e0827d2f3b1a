const PIECE_BYTES = 64 * 1024;
/** What a unit of UTF-16 takes of UTF-8 at most. */
const MAX_BYTES_PER_UNIT = 3;

/** Makes few large pieces of the many small parts of a result: all of them together would take as much memory again. */
export class PieceWriter {
  readonly #write: (piece: Uint8Array) => void;
  readonly #piece: Buffer;
  #length = 0;

  /** Pieces have `pieceBytes` each but the last, and are good until `write` returns. */
  constructor(write: (piece: Uint8Array) => void, pieceBytes: number = PIECE_BYTES) {
    this.#write = write;
    this.#piece = Buffer.allocUnsafeSlow(pieceBytes);
  }

  /** Takes a part, of which text becomes UTF-8. */
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

  /** Writes what is left. */
  end(): void {
    if (this.#length > 0) this.#write(this.#piece.subarray(0, this.#length));
    this.#length = 0;
  }
}
