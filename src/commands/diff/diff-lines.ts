/** Compares two texts line by line. */
import { structuredPatch } from 'diff';

/** The difference between two texts. */
export interface LineDiff {
  /** Number of lines that only the new text has. */
  readonly added: number;
  /** Number of lines that only the old text has. */
  readonly removed: number;
  /** The hunks of a unified diff, each line with its end; empty for equal texts. */
  readonly hunks: string;
  /** The number of changes that were tried. The time grows with its square. */
  readonly triedEdits: number;
}

/** The unchanged lines around each change, as in git. */
const CONTEXT_LINES = 3;
const NO_NEWLINE = '\\ No newline at end of file\n';

/**
 * Compares two texts with the algorithm of Myers. If more than `maxEdits` lines differ, replaces the whole old text by
 * the new one.
 */
export function diffLines(
  oldText: string,
  newText: string,
  { maxEdits }: { readonly maxEdits: number },
): LineDiff {
  if (oldText === '' || newText === '') return replacement(oldText, newText);
  if (minEdits(oldText, newText) > maxEdits) return replacement(oldText, newText);
  const options = { context: CONTEXT_LINES, maxEditLength: maxEdits };
  const patch = structuredPatch('', '', oldText, newText, '', '', options);
  if (patch === undefined) return { ...replacement(oldText, newText), triedEdits: maxEdits };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const countOf = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const [added, removed] = [countOf('+'), countOf('-')];
  return {
    added,
    removed,
    triedEdits: added + removed,
    hunks: patch.hunks
      .map(
        ({ oldStart, oldLines, newStart, newLines, lines: hunkLines }) =>
          hunkHead([oldStart, oldLines], [newStart, newLines]) +
          hunkLines.map((line) => `${line}\n`).join(''),
      )
      .join(''),
  };
}

/** Returns a lower bound of the number of changed lines, in linear time: the lines that only one text has. */
function minEdits(oldText: string, newText: string): number {
  const surplus = new Map<string, number>();
  for (const line of linesOf(oldText)) surplus.set(line, (surplus.get(line) ?? 0) + 1);
  for (const line of linesOf(newText)) surplus.set(line, (surplus.get(line) ?? 0) - 1);
  return Array.from(surplus.values()).reduce((sum, count) => sum + Math.abs(count), 0);
}

/** Returns the difference that removes all old lines and adds all new ones. */
function replacement(oldText: string, newText: string): LineDiff {
  const [removed, added] = [linesOf(oldText), linesOf(newText)];
  // As in every unified diff, lines count from 1, and an empty range is at 0.
  const head = hunkHead(
    [Math.min(removed.length, 1), removed.length],
    [Math.min(added.length, 1), added.length],
  );
  const hunks = head + signed('-', removed) + signed('+', added);
  const counts = { added: added.length, removed: removed.length, triedEdits: 0 };
  return { ...counts, hunks: oldText === newText ? '' : hunks };
}

/** A part of a text, by the number of its first line. */
type Range = readonly [start: number, lines: number];

/** Returns the first line of a hunk. As in git, a range of one line has no number of lines. */
function hunkHead(old: Range, fresh: Range): string {
  const range = ([start, lines]: Range): string => (lines === 1 ? `${start}` : `${start},${lines}`);
  return `@@ -${range(old)} +${range(fresh)} @@\n`;
}

/** Returns lines, each with its end except possibly the last. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function signed(sign: string, lines: readonly string[]): string {
  return lines.map((line) => (line.endsWith('\n') ? sign + line : `${sign}${line}\n${NO_NEWLINE}`)).join('');
}
