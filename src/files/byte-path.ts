/**
 * Names of files need not be UTF-8. A byte string is a text with one character (U+0000 to U+00FF) for each byte:
 * it can be compared, cut and matched like any other, and of ASCII it is the text itself.
 */

const BEYOND_ASCII = /[^\0-\x7f]/;

/** The bytes of a text in UTF-8. */
export function toByteString(text: string): string {
  return BEYOND_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** The text that bytes mean in UTF-8, with U+FFFD for what is not UTF-8. */
export function fromByteString(bytes: string): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}

/** True if the bytes are UTF-8. */
export function isUtf8(bytes: string): boolean {
  return !BEYOND_ASCII.test(bytes) || toByteString(fromByteString(bytes)) === bytes;
}

/** A path for a call of the operating system that means exactly these bytes. */
export function toNativePath(bytes: string): string | Buffer {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1') : bytes;
}
