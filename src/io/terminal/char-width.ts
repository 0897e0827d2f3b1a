/**
 * Widths of characters on a terminal, as the library that renders cargo's errors measures them (the crate
 * `annotate-snippets`, with `unicode-width`). Regular expressions with Unicode properties are inside the functions that
 * use them: creating one takes 0.1 ms, and most runs measure nothing.
 */
import { present } from '../../core/errors/assert.ts';

/** Returns the columns of one character. A tab counts as four spaces, a control character as a visible symbol. */
export function charWidth(character: string): number {
  if (character === '\t') return 4;
  // Fast exit: up to here, no character is wide or combines with another one.
  if (character <= '\u02ff') return 1;
  if (BIDI_CONTROLS.test(character)) return 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(character)) return 0;
  return isWide(character) ? 2 : 1;
}

/**
 * Returns true for characters with two columns: emoji, and those that Unicode Standard Annex #11 classifies as wide
 * (`W` and `F`).
 */
function isWide(character: string): boolean {
  return /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u.test(
    character,
  );
}

/** Characters that reorder text. `showControls` replaces them by U+FFFD. */
const BIDI_CONTROLS = /^[\u202a-\u202e\u2066-\u2069]$/u;

/** Returns the columns of a text. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += charWidth(character);
  return width;
}

/** Returns a text for display. A tab becomes four spaces; line feeds stay; other control characters become visible. */
export function showControls(text: string): string {
  if (!/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\u200d/.test(text)) return text;
  let visibleText = '';
  for (const character of text) visibleText += showCharacter(character);
  return visibleText;
}

/** Returns the visible form of one character. */
function showCharacter(character: string): string {
  const code = present(character.codePointAt(0), 'a character');
  if (character === '\t') return '    ';
  if (character === '\n') return character;
  // The block "Control Pictures" has a symbol for each control character.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  // The zero width joiner would combine characters to one.
  if (code === 0x200d) return '';
  return BIDI_CONTROLS.test(character) ? '\ufffd' : character;
}
