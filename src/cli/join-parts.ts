/** Many small parts of a result in few large pieces. */

const PIECE_BYTES = 64 * 1024;
/** What a unit of UTF-16 takes of UTF-8 at most. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * The bytes of `parts`, of which texts become UTF-8, in pieces of `pieceBytes` each but the last. A piece is good until
 * the next one is asked for: all parts together would take as much memory again as they do.
 */
export function* joinParts(
  parts: Iterable<string | Uint8Array>,
  pieceBytes: number = PIECE_BYTES,
): Generator<Uint8Array> {
  const piece = Buffer.allocUnsafeSlow(pieceBytes);
  let length = 0;
  for (const part of parts) {
    if (typeof part === 'string' && part.length * MAX_BYTES_PER_UNIT < pieceBytes - length) {
      length += piece.write(part, length);
      continue;
    }
    let rest: Uint8Array = typeof part === 'string' ? Buffer.from(part) : part;
    while (rest.length >= pieceBytes - length) {
      const room = pieceBytes - length;
      piece.set(rest.subarray(0, room), length);
      yield piece;
      rest = rest.subarray(room);
      length = 0;
    }
    piece.set(rest, length);
    length += rest.length;
  }
  if (length > 0) yield piece.subarray(0, length);
}
