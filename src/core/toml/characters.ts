/** Codes and classes of characters that the parts of the TOML parsers share. TOML: Comment, Keys, String. */

/** `\t` */
export const TAB = 0x09;
/** `\n` */
export const LINE_FEED = 0x0a;
/** `\r` */
export const CARRIAGE_RETURN = 0x0d;
/** A space. */
export const SPACE = 0x20;
/** `"` */
export const QUOTE = 0x22;
/** `'` */
export const APOSTROPHE = 0x27;
/** `\` */
export const BACKSLASH = 0x5c;
const DELETE = 0x7f;

/** Returns true for a character that comments and strings may contain: no control character except a tab. */
export function isVisible(code: number): boolean {
  return code === TAB || (code >= SPACE && code !== DELETE);
}

/** Returns true for a character of a bare key: an ASCII letter, a digit, `-` or `_`. */
export function isBareKeyCharacter(code: number): boolean {
  // The order is that of their frequency: a to z, 0 to 9, `-`, `_`, A to Z.
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x5f ||
    (code >= 0x41 && code <= 0x5a)
  );
}
