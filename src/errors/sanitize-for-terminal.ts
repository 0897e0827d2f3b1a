/** Text from others, as it may be printed: the only place that says which characters may not. */

/**
 * What becomes of line breaks. `keep`: they stay. `join`: each becomes a space, for what is one line. `indent`: further lines
 * begin with white space, so that none passes for a line of ours.
 */
export type LineBreaks = 'keep' | 'join' | 'indent';

/**
 * `text` without escape sequences and characters that steer a terminal, are not seen, or reorder what is. Tabs stay, and so
 * does what joins letters and emoji. What a CI system would take for a command gets a space in it: `::` at the beginning
 * of a line (GitHub), and `##[`, `##vso[` and the like (Azure, TeamCity) anywhere.
 */
export function sanitizeForTerminal(text: string, lineBreaks: LineBreaks = 'keep'): string {
  if (!/[^ -~]|##|^ *::/.test(text)) return text;
  let safe = text.replaceAll(SEQUENCES, '');
  if (/[^\n\t -~]/.test(safe)) {
    safe = safe
      .replaceAll(/\r\n/g, '\n')
      .replaceAll(/[\r\f\v\u0085\u2028\u2029]+/g, ' ')
      .replaceAll(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, '')
      .replaceAll(/\p{Cs}/gu, '\ufffd');
  }
  if (lineBreaks === 'join') safe = safe.replaceAll(/\n+/g, ' ');
  safe = safe.replaceAll(/##(?=[a-z]*\[)/gi, '## ').replaceAll(/^([^\S\n]*):(?=:)/gm, '$1: ');
  return lineBreaks === 'indent' ? safe.replaceAll(/\n(?=\S)/g, `\n${INDENT}`) : safe;
}

/**
 * The name of a file as it may be printed on a line of its own. What `sanitizeForTerminal` takes out is written as `\n` or
 * `\u{1b}`, so that two names stay two; every other name stays as it is.
 */
export function escapeForTerminal(name: string): string {
  if (sanitizeForTerminal(name, 'join') === name && !/[\t\n]/.test(name)) return name;
  return name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeCharacter)
    .replaceAll(/#(?=#[a-z]*\[)/gi, escapeCharacter)
    .replaceAll(/^(\s*):(?=:)/g, (_, space: string) => space + escapeCharacter(':'));
}

const INDENT = '    ';

/** CSI sequences, OSC sequences (up to BEL or ST), and those of a few characters. */
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeCharacter(character: string): string {
  return SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
