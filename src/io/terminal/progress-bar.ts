/** The progress bar. */
import type { Progress } from '../../core/report/report.ts';
import { charWidth } from './char-width.ts';

// These numbers are cargo's: `src/cargo/util/progress.rs`.
/** Columns for the status word and the space around it. */
const HEADER_WIDTH = 15;
/** The columns of the brackets around the bar. */
const BRACKETS_WIDTH = 2;
/** The most columns of status word, bar and counts together, even on a wider terminal. */
const MAX_BAR_WIDTH = 50;
/** Shorter operations never show a bar. */
const FIRST_DELAY_MS = 500;
/** The least time between two drawings. */
const INTERVAL_MS = 100;

/** Limits how often the bar is drawn. All times are milliseconds of the same clock. */
export class ProgressThrottle {
  #lastDrawMs: number;
  #wasDrawn = false;

  /** `nowMs` is the start of the operation. */
  constructor(nowMs: number) {
    this.#lastDrawMs = nowMs;
  }

  /** Returns true if it is time to draw, and starts the next interval. */
  allows(nowMs: number): boolean {
    if (nowMs - this.#lastDrawMs < (this.#wasDrawn ? INTERVAL_MS : FIRST_DELAY_MS)) return false;
    this.#wasDrawn = true;
    this.#lastDrawMs = nowMs;
    return true;
  }
}

/**
 * Returns bar, counts and message, padded with spaces, to follow the status word. Null if the terminal is too narrow.
 */
export function progressLine(state: Progress, terminalWidth: number): string | null {
  if (terminalWidth < HEADER_WIDTH) return null;
  const counts = ` ${state.counts ?? `${state.done}/${state.total}`}`;
  const barWidth = Math.min(terminalWidth, MAX_BAR_WIDTH) - counts.length - BRACKETS_WIDTH - HEADER_WIDTH;
  if (barWidth < 0) return null;
  const filled = state.total === 0 ? 0 : Math.trunc((barWidth * state.done) / state.total);
  const tip = state.done === state.total ? '=' : '>';
  const bar = filled === 0 ? '' : '='.repeat(filled - 1) + tip;
  const head = `[${bar.padEnd(barWidth)}]${counts}`;
  const maxWidth = terminalWidth - HEADER_WIDTH;
  return (head + shorten(state.message, maxWidth - head.length)).padEnd(maxWidth);
}

/** Returns the part of `text` that fits into `width` columns, with `…` in place of the rest. */
function shorten(text: string, width: number): string {
  if (width <= 1) return '';
  let columns = 0;
  let shortened = '';
  let withEllipsis = '';
  for (const character of text) {
    columns += charWidth(character);
    if (columns > width) return `${withEllipsis}…`;
    shortened += character;
    if (columns < width) withEllipsis = shortened;
  }
  return shortened;
}
