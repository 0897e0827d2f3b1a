/** Detection of invalid UTF-8 (RFC 3629). */
import { present } from './assert.ts';

/**
 * Returns cargo's message about the first invalid bytes; null if there are none: `invalid utf-8 sequence of 1 bytes
 * from index 4`, or `incomplete utf-8 byte sequence from index 4`.
 */
export function utf8Problem(bytes: Uint8Array): string | null {
  let start = 0;
  for (let first = bytes[0]; first !== undefined; first = bytes[start]) {
    const length = characterLength(first);
    const validLength = length === 0 ? 0 : validPrefixLength(bytes, start, length);
    if (validLength === length && length > 0) {
      start += length;
      continue;
    }
    if (length > 0 && start + validLength >= bytes.length) {
      return `incomplete utf-8 byte sequence from index ${start}`;
    }
    return `invalid utf-8 sequence of ${Math.max(validLength, 1)} bytes from index ${start}`;
  }
  return null;
}

/** Returns the length of a character by its first byte; 0 if that is invalid. */
function characterLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** Returns the number of valid bytes of the character at `start`. Its first byte is valid and means `length` bytes. */
function validPrefixLength(bytes: Uint8Array, start: number, length: number): number {
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[start + index];
    const [low, high] = index === 1 ? secondRange(present(bytes[start], 'the first byte')) : [0x80, 0xbf];
    if (byte === undefined || byte < low || byte > high) return index;
  }
  return length;
}

/** Returns the range of the second byte. Excludes overlong encodings, surrogates, and characters beyond Unicode. */
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
