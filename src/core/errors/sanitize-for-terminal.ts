/** Text from other sources, made safe to print. No other file decides which characters are safe. */
import { present } from './assert.ts';

const INDENT = '    ';

/** CSI sequences, OSC sequences (up to BEL or ST), and short sequences (ECMA-48). */
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * Treatment of line breaks. `keep`: unchanged. `join`: replaced by spaces, for text on one line. `indent`: all lines
 * but the first are indented, unless they start with white space, so that they cannot imitate a line of tsreg.
 */
export type LineBreaks = 'keep' | 'join' | 'indent';

/**
 * Returns `text` without escape sequences, and without characters that control a terminal, are invisible, or reorder
 * text. Keeps tabs, and the joiners of letters and emoji. Breaks commands of CI systems with a space: `::` at the start
 * of a line (GitHub), and `##[`, `##vso[` and similar (Azure, TeamCity) anywhere.
 */
export function sanitizeForTerminal(text: string, lineBreaks: LineBreaks = 'keep'): string {
  // Nearly all text is printable ASCII without commands. Must match all text that any later step changes.
  if (!/[^ -~]|##|^ *::/.test(text)) return text;
  let safe = text.replaceAll(SEQUENCES, '');
  // Must match all text that a step inside changes.
  if (/[^\n\t -~]/.test(safe)) {
    // Line breaks, other control and format characters, and halves of surrogate pairs.
    safe = safe
      .replaceAll(/\r\n/g, '\n')
      .replaceAll(/[\r\f\v\u0085\u2028\u2029]+/g, ' ')
      .replaceAll(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, '')
      .replaceAll(/\p{Cs}/gu, '\ufffd');
  }
  if (lineBreaks === 'join') safe = safe.replaceAll(/\n+/g, ' ');
  // Commands of Azure and TeamCity, then those of GitHub.
  safe = safe.replaceAll(/##(?=[a-z]*\[)/gi, '## ').replaceAll(/^([^\S\n]*):(?=:)/gm, '$1: ');
  return lineBreaks === 'indent' ? safe.replaceAll(/\n(?=\S)/g, `\n${INDENT}`) : safe;
}

/**
 * Returns a name that is safe to print, also at the start of a line. Escapes what `sanitizeForTerminal` removes or
 * replaces, as `\n` or `\u{1b}`, so that different names stay different. Other names are unchanged.
 */
export function escapeForTerminal(name: string): string {
  if (sanitizeForTerminal(name, 'join') === name && !/[\t\n]/.test(name)) return name;
  return (
    name
      .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escapeCharacter)
      // The first character of a command of Azure and TeamCity, then of GitHub.
      .replaceAll(/#(?=#[a-z]*\[)/gi, escapeCharacter)
      .replaceAll(/^(\s*):(?=:)/g, (_, space: string) => space + escapeCharacter(':'))
  );
}

/** The commands of GitHub's runner. It ignores other names, which code may have at the start of a line: `::core::`. */
const GITHUB_COMMANDS =
  /^(\s*):(?=:(?:add-mask|add-matcher|add-path|debug|echo|endgroup|error|group|internal-set-repo-path|notice|remove-matcher|save-state|set-env|set-output|stop-commands|warning)\b)/i;

/**
 * Returns a line of source code that is safe to print. Escapes like `escapeForTerminal`, but keeps tabs, the joiners of
 * letters and emoji, and `::` at the start unless a command of a CI system follows.
 */
export function escapeLine(line: string): string {
  if (!/[^\t -~]|##|^\s*::/.test(line)) return line;
  return line
    .replaceAll(/(?![\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escapeCharacter)
    .replaceAll(/#(?=#[a-z]*\[)/gi, escapeCharacter)
    .replace(GITHUB_COMMANDS, (_, space: string) => space + escapeCharacter(':'));
}

function escapeCharacter(character: string): string {
  return SHORT_ESCAPES[character] ?? `\\u{${present(character.codePointAt(0), 'a character').toString(16)}}`;
}
