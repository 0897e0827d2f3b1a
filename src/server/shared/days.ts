/** Days in UTC, as whole numbers since 1970-01-01. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** Number of days, with the current one, whose downloads the database holds. */
export const KEPT_DAYS = 90;

/** Returns the day of a time. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** Returns the first of the `KEPT_DAYS` days that end with the day of a time. */
export function firstKeptDay(timeMs: number): number {
  return dayOf(timeMs) - KEPT_DAYS + 1;
}

/** Formats a day as `2026-03-14`. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
