import { structuredPatch } from 'diff';

/** Neighbouring changes of a text, with a few unchanged lines around them. */
export interface Hunk {
  /** The number of the first line in each text, from 1. If a text has no line of the hunk, the one before it. */
  readonly oldStart: number;
  readonly newStart: number;
  /** How many lines of each text the hunk has. */
  readonly oldLines: number;
  readonly newLines: number;
  /** Lines without their ends, after `+`, `-` or a space. A line with `\` is a remark about the one before it. */
  readonly lines: readonly string[];
}

/** The difference between two texts. */
export interface TextDiff {
  /** Number of lines that only the new text has. */
  readonly added: number;
  /** Number of lines that only the old text has. */
  readonly removed: number;
  readonly hunks: readonly Hunk[];
}

const CONTEXT_LINES = 3;
/** Texts that differ in everything take time in proportion to the square of their length. */
const TIMEOUT_MS = 1000;

/** Compares two texts line by line with the algorithm of Myers. Returns null if that takes more than a second. */
export function diffLines(oldText: string, newText: string): TextDiff | null {
  if (oldText === '' || newText === '') return wholeText(oldText, newText);
  const options = { context: CONTEXT_LINES, timeout: TIMEOUT_MS };
  const patch = structuredPatch('', '', oldText, newText, '', '', options);
  if (patch === undefined) return null;
  const { hunks } = patch;
  const linesWith = (sign: string): number =>
    hunks.reduce((total, { lines }) => total + lines.filter((line) => line.startsWith(sign)).length, 0);
  return { added: linesWith('+'), removed: linesWith('-'), hunks };
}

/** Returns the difference between a text and an empty one, for which `diff` would need a long time. */
function wholeText(oldText: string, newText: string): TextDiff {
  const [removed, added] = [linesOf(oldText), linesOf(newText)];
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  if (lines.length > 0 && !`${oldText}${newText}`.endsWith('\n')) lines.push('\\ No newline at end of file');
  const [oldLines, newLines] = [removed.length, added.length];
  const start = { oldStart: Math.min(oldLines, 1), newStart: Math.min(newLines, 1) };
  return {
    added: newLines,
    removed: oldLines,
    hunks: lines.length === 0 ? [] : [{ ...start, oldLines, newLines, lines }],
  };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
