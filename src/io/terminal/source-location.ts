/** Places in a text by line and column. */
import { charWidth } from './char-width.ts';

/** One line of a text, without its line break. */
export interface SourceLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  /** UTF-16 offsets into the text: of the first character, and after the line break. */
  readonly start: number;
  readonly end: number;
}

/** A place in a line. */
export interface Location {
  readonly line: SourceLine;
  /** Characters before it. */
  readonly characters: number;
  /** Columns before it, as shown. */
  readonly columns: number;
}

/** Returns the lines of a text. An empty text has one line; a line break at the end starts none. */
export function splitLines(text: string): readonly [SourceLine, ...SourceLine[]] {
  const first = lineAt(text, 0, 1);
  const lines: [SourceLine, ...SourceLine[]] = [first];
  for (let start = first.end; start < text.length; ) {
    const line = lineAt(text, start, lines.length + 1);
    lines.push(line);
    start = line.end;
  }
  return lines;
}

/** Returns the line that starts at an offset, with its number. */
function lineAt(text: string, start: number, number: number): SourceLine {
  const newline = text.indexOf('\n', start);
  if (newline === -1) return { text: text.slice(start), number, start, end: text.length };
  const isCrLf = newline > start && text[newline - 1] === '\r';
  return { text: text.slice(start, isCrLf ? newline - 1 : newline), number, start, end: newline + 1 };
}

/**
 * Returns the locations of the ends of a range, whose offsets are UTF-16. An empty range, or one without columns,
 * covers one column. An end in a line break is one character after the text. `annotate-snippets` counts in the same
 * way.
 */
export function locateSpan(
  lines: readonly [SourceLine, ...SourceLine[]],
  span: { readonly start: number; readonly end: number },
): { readonly start: Location; readonly end: Location } {
  const start = locate(lines, span.start);
  // As in that crate, this does not count as a column.
  const adjustedStart = isInLineBreak(start, span.start)
    ? { ...start, characters: start.characters + 1 }
    : start;
  if (span.start === span.end)
    return { start: adjustedStart, end: { ...adjustedStart, columns: adjustedStart.columns + 1 } };
  const end = locate(lines, span.end);
  if (end.line === adjustedStart.line) {
    const columns = end.columns === adjustedStart.columns ? end.columns + 1 : end.columns;
    return { start: adjustedStart, end: { ...end, columns } };
  }
  const adjustedEnd = isInLineBreak(end, span.end)
    ? { ...end, characters: end.characters + 1, columns: end.columns + 1 }
    : end;
  return { start: adjustedStart, end: adjustedEnd };
}

/** Returns true if the offset of a location is after the text of its line. */
function isInLineBreak({ line }: Location, offset: number): boolean {
  return offset > line.start + line.text.length;
}

/** Returns the location of an offset. One after the text is at the end of the last line. */
function locate(lines: readonly [SourceLine, ...SourceLine[]], offset: number): Location {
  const line = lines.find(({ start, end }) => offset >= start && offset < end) ?? lines.at(-1) ?? lines[0];
  let characters = 0;
  let columns = 0;
  for (const character of line.text.slice(0, Math.max(offset - line.start, 0))) {
    characters += 1;
    columns += charWidth(character);
  }
  return { line, characters, columns };
}
