/** Durations as text. */
import { present } from '../errors/assert.ts';

const DAY_SECONDS = 86_400;

/** Seconds per unit, the longest unit first. */
const UNITS = [
  ['day', DAY_SECONDS],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
/** The longest duration that is printed exactly. */
const MAX_DAYS = 365;

/**
 * Returns `40 seconds`, `1 minute 40 seconds`, `2 hours` or `3 days 1 hour`: rounded up to whole seconds, and to the
 * unit after the longest one. More than a year, or NaN, is `more than a year`.
 */
export function humanTime(ms: number): string {
  const seconds = Math.max(Math.ceil(ms / 1000), 0);
  // Not `>`, which is false for NaN.
  if (!(seconds <= MAX_DAYS * DAY_SECONDS)) return 'more than a year';
  if (seconds === 0) return '0 seconds';
  const longest = UNITS.findIndex(([, unitSeconds]) => seconds >= unitSeconds);
  const [, precision] = present(UNITS[Math.min(longest + 1, UNITS.length - 1)], 'a unit of time');
  let remaining = Math.ceil(seconds / precision) * precision;
  const parts: string[] = [];
  for (const [unit, unitSeconds] of UNITS) {
    const count = Math.floor(remaining / unitSeconds);
    remaining -= count * unitSeconds;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}
