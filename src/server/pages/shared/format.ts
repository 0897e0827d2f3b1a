/** Formats numbers, sizes, times and lists for pages. */
import { html, joined, type Html, type HtmlValue } from './html.ts';

const THOUSANDS = new Intl.NumberFormat('en');

/** Formats `1234567` as `1,234,567`. */
export function formatCount(count: number): string {
  return THOUSANDS.format(count);
}

/** Returns `1 version` or `2 versions`. */
export function countOf(count: number, singular: string, plural: string): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

const SIZE_UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a number of bytes with at most four digits: `812 B`, `1.4 KiB`, `36 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes;
  let unit: string = 'B';
  for (const next of SIZE_UNITS) {
    // From 1023.5, `toFixed` would show 1024.
    if (value < 1023.5) break;
    value /= 1024;
    unit = next;
  }
  // From 9.95, `toFixed(1)` would show 10.0.
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}

/**
 * Returns an element with the age of a time up to 30 days, or else its day in UTC. The exact time is an attribute for
 * programs, and a tooltip. `nowMs` is the time of the request.
 */
export function timeElement(timeMs: number, { nowMs }: { readonly nowMs: number }): Html {
  const iso = new Date(timeMs).toISOString();
  const words = formatAge(nowMs - timeMs) ?? iso.slice(0, 10);
  return html`<time datetime="${iso}" title="${iso.slice(0, 16).replace('T', ' ')} UTC">${words}</time>`;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Beyond this, a date says more than a number of days. */
const MAX_AGE_MS = 31 * DAY_MS;

/**
 * Returns an age such as `3 hours ago`; null for a time that is too long ago or in the future. A time up to a minute
 * ahead is `just now`, because the clock of another server may have set it.
 */
function formatAge(ageMs: number): string | null {
  if (ageMs <= -MINUTE_MS || ageMs >= MAX_AGE_MS) return null;
  if (ageMs < MINUTE_MS) return 'just now';
  if (ageMs < HOUR_MS) return `${countOf(Math.floor(ageMs / MINUTE_MS), 'minute', 'minutes')} ago`;
  if (ageMs < DAY_MS) return `${countOf(Math.floor(ageMs / HOUR_MS), 'hour', 'hours')} ago`;
  return `${countOf(Math.floor(ageMs / DAY_MS), 'day', 'days')} ago`;
}

/** Returns a time to the minute, in UTC. */
export function minuteElement(timeMs: number): Html {
  const iso = new Date(timeMs).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** Returns words as code, separated by commas. */
export function codes(words: readonly string[]): HtmlValue {
  return joined(
    words.map((word) => html`<code>${word}</code>`),
    ', ',
  );
}
