/** Durations as text. */

/** Seconds per unit, the longest unit first. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
const MAX_DAYS = 365;

/**
 * Returns `40 seconds`, `1 minute 40 seconds`, `2 hours` or `3 days 1 hour`: rounded up to whole seconds, and to the
 * unit after the longest one. More than a year, or NaN, is `more than a year`.
 */
export function humanTime(ms: number): string {
  const seconds = Math.max(Math.ceil(ms / 1000), 0);
  if (!(seconds <= MAX_DAYS * 86_400)) return 'more than a year';
  const first = UNITS.findIndex(([, length]) => seconds >= length);
  const smallest = UNITS[first === -1 ? UNITS.length - 1 : Math.min(first + 1, UNITS.length - 1)]?.[1] ?? 1;
  let rest = Math.ceil(seconds / smallest) * smallest;
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.length === 0 ? '0 seconds' : parts.join(' ');
}
