/** Debug formatting of text in messages, as in cargo. */
import { present } from './assert.ts';

/**
 * Characters that Rust's `escape_debug` escapes: double quotes, backslashes, characters that are not printable,
 * combining marks, and spaces other than U+0020.
 */
const SPECIAL = /["\\\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Grapheme_Extend}]|(?! )\p{Zs}/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
};

/** Returns text in double quotes, with invisible characters as `\n` or `\u{1b}`. */
export function debugText(text: string): string {
  return `"${text.replaceAll(SPECIAL, escape)}"`;
}

/** Returns texts in brackets, each formatted by `debugText`. */
export function debugList(texts: readonly string[]): string {
  return `[${texts.map(debugText).join(', ')}]`;
}

function escape(character: string): string {
  return SHORT_ESCAPES[character] ?? `\\u{${present(character.codePointAt(0), 'a character').toString(16)}}`;
}
