/** Many small parts of a result in few large pieces. */

const PIECE_BYTES = 64 * 1024;

/**
 * The bytes of `parts`, in pieces of `pieceBytes` each but the last. A piece is good until the next one is asked for: all
 * parts together would take as much memory again as they do.
 */
export function* joinParts(
  parts: Iterable<Uint8Array>,
  pieceBytes: number = PIECE_BYTES,
): Generator<Uint8Array> {
  const piece = Buffer.allocUnsafeSlow(pieceBytes);
  let length = 0;
  for (const part of parts) {
    let rest = part;
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
