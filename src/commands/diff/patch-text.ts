/** Prints changed files in the form of `git diff --no-index`. */
import { escapeForTerminal, escapeLine } from '../../core/errors/sanitize-for-terminal.ts';
import { styled, type StyleName } from '../../io/terminal/style.ts';
import type { FileChange } from './compare-files.ts';
import type { PackedFile } from '../shared/packaging/crate-content.ts';

/** Returns the difference of one file, with styles. Unsafe characters are escaped, as `\u{1b}`. */
export function patchText(file: FileChange): string {
  const { old, new: fresh, lines } = file;
  const path = escapeForTerminal(file.path);
  const oldName = old === null ? '/dev/null' : `a/${path}`;
  const newName = fresh === null ? '/dev/null' : `b/${path}`;
  const head = [`diff --git a/${path} b/${path}`, ...modeLines(old, fresh)];
  if (typeof lines === 'string') return headText(head) + omittedText(lines, `${oldName} and ${newName}`);
  if (lines.hunks === '') return headText(head);
  head.push(`--- ${withEnd(oldName)}`, `+++ ${withEnd(newName)}`);
  return headText(head) + lines.hunks.replaceAll(/[^\n]*\n/g, hunkLine);
}

/** As in git, a tab marks the end of a name with spaces, which `patch` would cut otherwise. */
function withEnd(name: string): string {
  return name.includes(' ') ? `${name}\t` : name;
}

function headText(lines: readonly string[]): string {
  return lines.map((line) => `${styled('emphasis', line)}\n`).join('');
}

/** Returns the lines about a new, deleted or differently executable file. */
function modeLines(old: PackedFile | null, fresh: PackedFile | null): readonly string[] {
  const [oldMode, newMode] = [modeOf(old), modeOf(fresh)];
  if (oldMode === newMode) return [];
  if (oldMode === null) return [`new file mode ${newMode}`];
  if (newMode === null) return [`deleted file mode ${oldMode}`];
  return [`old mode ${oldMode}`, `new mode ${newMode}`];
}

function modeOf(file: PackedFile | null): string | null {
  if (file === null) return null;
  return file.isExecutable ? '100755' : '100644';
}

function omittedText(reason: 'binary' | 'too-large' | 'limit', files: string): string {
  if (reason === 'binary') return `Binary files ${files} differ\n`;
  const why = reason === 'limit' ? 'too many large changes to show all' : 'too large to compare line by line';
  return `Files ${files} differ (${why})\n`;
}

/** The styles of git, by the first character of a line. */
const LINE_STYLES: ReadonlyMap<string, StyleName> = new Map([
  ['+', 'added'],
  ['-', 'removed'],
  ['@', 'placeholder'],
]);

function hunkLine(line: string): string {
  const text = escapeLine(line.slice(0, -1));
  const style = LINE_STYLES.get(text.charAt(0));
  return `${style === undefined ? text : styled(style, text)}\n`;
}
