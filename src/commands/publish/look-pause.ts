/** The pauses between two looks at the index. */

const FIRST_PAUSE_MS = 50;
/** The pause of cargo. */
const MAX_PAUSE_MS = 1000;

/** Returns the pause after `looks` looks at the index, at least one: 50 ms, then each time twice as long, up to 1 s. */
export function lookPauseMs(looks: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (looks - 1), MAX_PAUSE_MS);
}
