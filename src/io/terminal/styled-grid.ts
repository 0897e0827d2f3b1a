/** Text in cells, each with a style. */
import { present } from '../../core/errors/assert.ts';
import { type StyleName, styled } from './style.ts';

interface Cell {
  readonly character: string;
  readonly style: StyleName | null;
}

const BLANK: Cell = { character: ' ', style: null };

/** Rows of cells. Drawing beyond the end of a row pads it with spaces. */
export class StyledGrid {
  readonly #rows: Cell[][] = [];

  /** The number of rows. */
  get height(): number {
    return this.#rows.length;
  }

  /** Overwrites the cells from `column` on with `text`. An empty text changes nothing. */
  put(row: number, column: number, text: string, style: StyleName | null = null): void {
    if (text === '') return;
    const cells = this.#row(row);
    while (cells.length < column) cells.push(BLANK);
    for (const [i, character] of Array.from(text).entries()) cells[column + i] = { character, style };
  }

  /** Writes `text` at the end of a row. */
  append(row: number, text: string, style: StyleName | null = null): void {
    this.put(row, this.#row(row).length, text, style);
  }

  /** Replaces the cells from `start` up to `end` by `text` in the style `gutter`. Leaves a shorter row unchanged. */
  replace(row: number, range: { readonly start: number; readonly end: number }, text: string): void {
    const cells = this.#row(row);
    if (range.start >= range.end || range.end > cells.length) return;
    const replacement = Array.from(text, (character): Cell => ({ character, style: 'gutter' }));
    cells.splice(range.start, range.end - range.start, ...replacement);
  }

  /** Returns the rows as text with styles, without a line break at the end. */
  render(): string {
    return this.#rows.map(renderRow).join('\n');
  }

  #row(row: number): Cell[] {
    while (this.#rows.length <= row) this.#rows.push([]);
    return present(this.#rows[row], 'a row');
  }
}

function renderRow(cells: readonly Cell[]): string {
  const runs: { readonly style: StyleName | null; text: string }[] = [];
  for (const { character, style } of cells) {
    const last = runs.at(-1);
    if (last?.style === style) last.text += character;
    else runs.push({ style, text: character });
  }
  return runs.map(({ style, text }) => (style === null ? text : styled(style, text))).join('');
}
