/** Detection of invalid UTF-8. */

/**
 * Returns cargo's message about the first invalid bytes; null if there are none: `invalid utf-8 sequence of 1 bytes
 * from index 4`, or `incomplete utf-8 byte sequence from index 4`.
 */
export function utf8Problem(bytes: Uint8Array): string | null {
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOf(bytes[at] ?? 0);
    const valid = length === 0 ? 0 : validPart(bytes, at, length);
    if (valid === length && length > 0) {
      at += length;
      continue;
    }
    if (length > 0 && at + valid >= bytes.length) return `incomplete utf-8 byte sequence from index ${at}`;
    return `invalid utf-8 sequence of ${Math.max(valid, 1)} bytes from index ${at}`;
  }
  return null;
}

/** Returns the length of a character by its first byte; 0 if that is invalid. */
function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** Returns the number of valid bytes of a character. */
function validPart(bytes: Uint8Array, at: number, length: number): number {
  for (let i = 1; i < length; i += 1) {
    const byte = bytes[at + i];
    const [low, high] = i === 1 ? secondRange(bytes[at] ?? 0) : [0x80, 0xbf];
    if (byte === undefined || byte < low || byte > high) return i;
  }
  return length;
}

/** Excludes overlong encodings, surrogates, and characters beyond Unicode. */
function secondRange(first: number): readonly [low: number, high: number] {
  switch (first) {
    case 0xe0:
      return [0xa0, 0xbf];
    case 0xed:
      return [0x80, 0x9f];
    case 0xf0:
      return [0x90, 0xbf];
    case 0xf4:
      return [0x80, 0x8f];
    default:
      return [0x80, 0xbf];
  }
}
