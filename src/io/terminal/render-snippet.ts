/**
 * Renders an error about a place in a file: source lines, with the place marked below them. Equals the output of
 * cargo's library (the crate `annotate-snippets`), which all numbers without a comment come from.
 */
import { relative } from 'node:path';
import type { Snippet } from '../../core/errors/error.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { charWidth, showControls, textWidth } from './char-width.ts';
import { type Location, locateSpan, type SourceLine, splitLines } from './source-location.ts';
import { StyledGrid } from './styled-grid.ts';

/** Options of the text. */
export interface SnippetTarget {
  /** Absolute path of the folder that the path of the file is shown relative to. */
  readonly cwd: string;
  /** Columns of the terminal; null if unknown. */
  readonly width: number | null;
}

const DEFAULT_WIDTH = 140;
/** Replaces columns or lines that are not shown. */
const CUT_MARK = '...';
/** Columns for code around a range, with room for the mark of a cut. */
const MARGIN = 6;

/** Returns the message and the marked source lines, with styles and a line break at the end. */
export function renderSnippet(snippet: Snippet, target: SnippetTarget): string {
  const lines = splitLines(snippet.text);
  const { start, end } = locateSpan(lines, snippet.span);
  const drawing = new SnippetDrawing({
    lines,
    start,
    end,
    digits: String(Math.max(start.line.number, lineCount(snippet.text.slice(0, snippet.span.end)))).length,
    width: target.width ?? DEFAULT_WIDTH,
  });
  drawing.drawTitle(snippet.message);
  const path = sanitizeForTerminal(relative(target.cwd, snippet.path), 'join');
  drawing.drawOrigin(`${path}:${start.line.number}:${start.characters + 1}`);
  if (start.line === end.line) drawing.drawSingleLine();
  else drawing.drawLines();
  return `${drawing.grid.render()}\n`;
}

/** Returns the number of lines, at least 1. A line break at the end starts no further line. */
function lineCount(text: string): number {
  const breaks = text.split('\n').length - 1;
  return Math.max(1, text.endsWith('\n') ? breaks : breaks + 1);
}

/** The lines of a file, and the range to mark in them. */
interface MarkedRange {
  readonly lines: readonly SourceLine[];
  readonly start: Location;
  readonly end: Location;
  /** Width of the line numbers. */
  readonly digits: number;
  /** Columns of the terminal. */
  readonly width: number;
}

/** The columns to show of each line, from `left` up to `right`. */
interface VisibleColumns {
  readonly left: number;
  readonly right: number;
  /** The number of columns available for code. */
  readonly room: number;
}

/** The drawing of one error: its title, its origin, and the source lines with marks. */
class SnippetDrawing {
  /** The drawing so far. Each `draw` method adds rows at its end. */
  readonly grid = new StyledGrid();
  readonly #marked: MarkedRange;
  /** Column of the mark that joins the lines of a multi-line range; code starts after it. */
  readonly #gutter: number;
  readonly #codeColumn: number;

  constructor(marked: MarkedRange) {
    this.#marked = marked;
    this.#gutter = marked.digits + 3;
    this.#codeColumn = this.#gutter + (marked.start.line === marked.end.line ? 0 : 2);
  }

  /** Draws `error: MESSAGE`. */
  drawTitle(message: string): void {
    this.grid.append(0, 'error', 'error');
    this.grid.append(0, ': ', 'emphasis');
    for (const [row, text] of showControls(message).split('\n').entries()) {
      if (row > 0) this.grid.append(row, '       ');
      this.grid.append(row, text, 'emphasis');
    }
  }

  /** Draws the path, line and column of the range. */
  drawOrigin(place: string): void {
    const row = this.grid.height;
    this.grid.put(row, this.#marked.digits, '--> ', 'gutter');
    this.grid.append(row, place);
    this.#drawSeparator(row + 1);
  }

  /** Draws a range in one line: the line, and marks below it. */
  drawSingleLine(): void {
    const { start, end } = this.#marked;
    const window = this.#window([start.line], { left: start.columns, right: end.columns });
    const row = this.grid.height;
    const left = this.#drawCode(row, start.line, window);
    this.#drawSeparator(row + 1);
    const length = end.columns - start.columns;
    const from = Math.max(this.#codeColumn + start.columns - left, 0);
    const to = Math.max(this.#codeColumn + end.columns - left, 0);
    for (let column = from; column < to; column += 1) this.grid.put(row + 1, column, '^', 'error');
    // A very long range is cut. As in cargo, the columns are those of the file, not of the window.
    if (length > window.room * 2 && length > 13) {
      const visibleWidth = Math.max(Math.trunc(window.room / 3), 5);
      const range = { start: start.columns + visibleWidth, end: end.columns - visibleWidth };
      this.grid.replace(row, range, CUT_MARK);
      this.grid.replace(row + 1, range, CUT_MARK);
    }
  }

  /** Draws a range of several lines: its first lines and its end, joined by marks in the gutter. */
  drawLines(): void {
    const { start, end, lines } = this.#marked;
    const shownLines = linesToShow(lines, start.line, end.line);
    const window = this.#window(shownLines, {
      left: Math.min(start.columns, Math.max(end.columns - 1, 0)),
      right: Math.max(start.columns + 1, end.columns),
    });
    this.#drawStart(window);
    let previous = start.line;
    for (const line of shownLines.slice(1)) {
      this.#drawGap(previous, line, window);
      const row = this.grid.height;
      const left = this.#drawCode(row, line, window);
      this.grid.put(row, this.#gutter, '|', 'error');
      if (line === end.line) this.#drawEnd(row, left);
      previous = line;
    }
  }

  /** Draws the first line. A corner before it, or a line below it, leads to the start of the range. */
  #drawStart(window: VisibleColumns): void {
    const { start } = this.#marked;
    const row = this.grid.height;
    const left = this.#drawCode(row, start.line, window);
    const before = Array.from(showControls(start.line.text)).slice(0, start.columns);
    if (before.every((character) => /\s/u.test(character))) {
      this.grid.put(row, this.#gutter, '/', 'error');
      return;
    }
    this.#drawSeparator(row + 1);
    const column = Math.max(this.#codeColumn + start.columns - left, 0);
    this.grid.put(row + 1, this.#gutter, ' ', 'error');
    this.grid.put(row + 1, this.#gutter + 1, '_'.repeat(Math.max(column - this.#gutter - 1, 0)), 'error');
    this.grid.put(row + 1, column, '^', 'error');
  }

  /** Draws a line below the last one, at `row`, that leads to the end of the range. `left` columns are cut off. */
  #drawEnd(row: number, left: number): void {
    this.#drawSeparator(row + 1);
    const column = Math.max(this.#codeColumn + Math.max(this.#marked.end.columns - 1, 0) - left, 0);
    this.grid.put(row + 1, this.#gutter, '|', 'error');
    this.grid.put(row + 1, this.#gutter + 1, '_'.repeat(Math.max(column - this.#gutter - 1, 0)), 'error');
    this.grid.put(row + 1, column, '^', 'error');
  }

  /** Draws a mark for the lines between two shown ones, or the line itself if it is only one. */
  #drawGap(previous: SourceLine, next: SourceLine, window: VisibleColumns): void {
    const skipped = next.number - previous.number - 1;
    if (skipped === 0) return;
    const row = this.grid.height;
    const skippedLine = this.#marked.lines[previous.number];
    if (skipped === 1 && skippedLine !== undefined) this.#drawCode(row, skippedLine, window);
    else this.grid.put(row, 0, CUT_MARK, 'gutter');
    this.grid.put(row, this.#gutter, '|', 'error');
  }

  /** Draws the visible part of a line. Returns how many columns are cut off on the left. */
  #drawCode(row: number, line: SourceLine, window: VisibleColumns): number {
    const text = showControls(line.text);
    const width = textWidth(text);
    const right = width - window.left <= window.room ? width : Math.min(width, window.right);
    let left = Math.min(window.left, width);
    const cut = cutColumns(text, left, right);
    left = Math.max(left, cut.skipped);
    let visible = Array.from(cut.text);
    let column = this.#codeColumn;
    if (window.left > 0) {
      this.grid.put(row, column, CUT_MARK, 'gutter');
      const hidden = takeColumns(visible, CUT_MARK.length);
      visible = visible.slice(hidden.count);
      column += hidden.width;
    }
    this.grid.put(row, column, visible.join(''));
    if (width > right) {
      const hidden = takeColumns(visible.toReversed(), CUT_MARK.length);
      this.grid.put(row, column + visible.length - hidden.count, CUT_MARK, 'gutter');
    }
    this.grid.put(row, 0, String(line.number).padStart(this.#marked.digits), 'gutter');
    this.#drawSeparator(row);
    return left;
  }

  #drawSeparator(row: number): void {
    this.grid.put(row, this.#marked.digits + 1, '|', 'gutter');
  }

  /** Returns the columns to show: whole lines if they fit, else from the indentation on, else around the range. */
  #window(shownLines: readonly SourceLine[], span: { left: number; right: number }): VisibleColumns {
    const room = Math.max(this.#marked.width - this.#codeColumn, 0);
    const indent = Math.min(
      ...shownLines.filter((line) => /\S/u.test(line.text)).map(indentation),
      span.left,
    );
    const longest = Math.max(...shownLines.map((line) => textWidth(line.text)));
    const indented = Math.max(indent - MARGIN, 0);
    const left = Math.max(span.left - MARGIN, 0);
    const right = span.right + MARGIN;
    // A deep indentation is cut even if the lines fit.
    const start = indented > 20 ? indented - 16 : 0;
    const end = Math.max(longest, start);
    if (end - start <= room) return { left: start, right: end, room };
    if (right - indented <= room && right >= indented)
      return { left: indented, right: indented + room, room };
    if (right - left > room) return { left, right, room };
    // The range is in the middle.
    const from = Math.max(left - Math.trunc((room - (right - left)) / 2), 0);
    return { left: from, right: from + room, room };
  }
}

/** Returns the columns of the white space at the start of a line. */
function indentation({ text }: SourceLine): number {
  const blank = text.slice(0, text.length - text.trimStart().length);
  return Array.from(blank).reduce((sum, character) => sum + (character === '\t' ? 4 : 1), 0);
}

/** Returns the characters of `text` between two columns, and the number of columns skipped before them. */
function cutColumns(text: string, left: number, right: number): { text: string; skipped: number } {
  let skipped = 0;
  let takenWidth = 0;
  let visible = '';
  for (const character of text) {
    const width = charWidth(character);
    if (skipped < left) {
      skipped += width;
      continue;
    }
    takenWidth += width;
    if (takenWidth > right - Math.max(left, skipped)) break;
    visible += character;
  }
  return { text: visible, skipped };
}

/** Returns how many of the characters fill `columns`, and their width. */
function takeColumns(characters: readonly string[], columns: number): { count: number; width: number } {
  let width = 0;
  let count = 0;
  for (const character of characters) {
    width += charWidth(character);
    count += 1;
    if (width >= columns) break;
  }
  return { count, width };
}

/** Returns true for lines that do not help to understand a range: empty ones, brackets and comments. */
function isUninformative(line: SourceLine | undefined): boolean {
  const text = line?.text.trim() ?? '';
  if (text.startsWith('//') && !text.startsWith('///') && !text.startsWith('//!')) return true;
  return ['', '{', '}', '(', ')', '[', ']'].includes(text);
}

/** Returns the lines of a multi-line range that are shown: the first few, and the end. */
function linesToShow(
  lines: readonly SourceLine[],
  first: SourceLine,
  last: SourceLine,
): readonly SourceLine[] {
  const lineWith = (number: number): SourceLine | undefined => lines[number - 1];
  const middle = Math.min(first.number + 4, last.number);
  let until = middle;
  while (until > first.number && isUninformative(lineWith(until - 1))) until -= 1;
  const numbers = new Set([first.number]);
  for (let number = first.number + 1; number < until; number += 1) numbers.add(number);
  const beforeLast = last.number - 1;
  if (middle < beforeLast && !isUninformative(lineWith(beforeLast))) numbers.add(beforeLast);
  numbers.add(last.number);
  return [...numbers].map(lineWith).filter((line) => line !== undefined);
}
