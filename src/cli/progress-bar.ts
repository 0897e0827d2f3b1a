/** The line that shows how far an operation is. */
import type { Progress } from '../report/report.ts';
import { charWidth } from './char-width.ts';

/** Room for the status word and what is around it. */
const HEADER_WIDTH = 15;
/** The bar does not grow beyond this, whatever the terminal. */
const MAX_BAR_WIDTH = 50;
/** Operations that are done sooner never show a bar. */
const FIRST_DELAY_MS = 500;
const INTERVAL_MS = 100;

/** Decides when a state is shown. */
export class ProgressThrottle {
  #last: number;
  #shown = false;

  constructor(nowMs: number) {
    this.#last = nowMs;
  }

  /** True if it is time to draw; the next time is counted from then. */
  allows(nowMs: number): boolean {
    if (nowMs - this.#last < (this.#shown ? INTERVAL_MS : FIRST_DELAY_MS)) return false;
    this.#shown = true;
    this.#last = nowMs;
    return true;
  }
}

/** What stands behind the status word: bar, counts and message, filled up with spaces. Null if it is too narrow. */
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

/** As much of `text` as fits into `width` columns, with `…` where the rest was. */
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
