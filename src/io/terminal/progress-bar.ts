/** The progress bar. */
import type { Progress } from '../../core/report/report.ts';
import { charWidth } from './char-width.ts';

/** Columns for the status word and the space around it. */
const HEADER_WIDTH = 15;
/** The most columns of status word, bar and counts together, even on a wider terminal. */
const MAX_BAR_WIDTH = 50;
/** Shorter operations never show a bar. */
const FIRST_DELAY_MS = 500;
const INTERVAL_MS = 100;

/** Limits how often the bar is drawn. */
export class ProgressThrottle {
  #last: number;
  #shown = false;

  constructor(nowMs: number) {
    this.#last = nowMs;
  }

  /** Returns true if it is time to draw, and starts the next interval. */
  allows(nowMs: number): boolean {
    if (nowMs - this.#last < (this.#shown ? INTERVAL_MS : FIRST_DELAY_MS)) return false;
    this.#shown = true;
    this.#last = nowMs;
    return true;
  }
}

/**
 * Returns bar, counts and message, padded with spaces, to follow the status word. Null if the terminal is too narrow.
 */
export function progressLine(state: Progress, terminalWidth: number): string | null {
  if (terminalWidth < HEADER_WIDTH) return null;
  const counts = ` ${state.counts ?? `${state.done}/${state.total}`}`;
  const barWidth = Math.min(terminalWidth, MAX_BAR_WIDTH) - counts.length - 2 - HEADER_WIDTH;
  if (barWidth < 0) return null;
  const filled = state.total === 0 ? 0 : Math.trunc((barWidth * state.done) / state.total);
  const tip = state.done === state.total ? '=' : '>';
  const bar = filled === 0 ? '' : '='.repeat(filled - 1) + tip;
  const head = `[${bar.padEnd(barWidth)}]${counts}`;
  const room = terminalWidth - HEADER_WIDTH;
  return (head + shorten(state.message, room - head.length)).padEnd(room);
}

/** Returns the part of `text` that fits into `width` columns, with `…` in place of the rest. */
function shorten(text: string, width: number): string {
  if (width <= 1) return '';
  let used = 0;
  let shown = '';
  let withEllipsis = '';
  for (const character of text) {
    used += charWidth(character);
    if (used > width) return `${withEllipsis}…`;
    shown += character;
    if (used < width) withEllipsis = shown;
  }
  return shown;
}
