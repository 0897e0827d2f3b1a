/**
 * File names need not be UTF-8. A byte string has one character (U+0000 to U+00FF) per byte. It can be compared, cut
 * and matched like any other string, and equals the text if that is ASCII. The type does not tell them apart: a name
 * such as `bytes` does. Encoding one twice damages it.
 */

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Encodes a text as a byte string (UTF-8). */
export function toByteString(text: string): string {
  return BEYOND_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** Decodes bytes as UTF-8, with U+FFFD for invalid ones. */
export function fromByteString(bytes: string): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}

/** Returns true if the bytes are UTF-8. */
export function isUtf8(bytes: string): boolean {
  return !BEYOND_ASCII.test(bytes) || toByteString(fromByteString(bytes)) === bytes;
}

/** Returns the path with exactly these bytes, for operating system calls. */
export function toNativePath(bytes: string): string | Buffer {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1') : bytes;
}
