/** Texts as cargo shows values in messages. */

/** A text in double quotes, in which what cannot be seen is written as `\n` or `\u{1b}`. */
export function debugText(text: string): string {
  return `"${text.replaceAll(SPECIAL, escape)}"`;
}

/** Texts in brackets, each as `debugText` has it. */
export function debugList(texts: readonly string[]): string {
  return `[${texts.map(debugText).join(', ')}]`;
}

const SPECIAL = /["\\\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Grapheme_Extend}]|(?! )\p{Zs}/gu;

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
};

function escape(character: string): string {
  return SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
