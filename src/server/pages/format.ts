/** How pages show numbers, sizes and times. */
import { html, type Html } from './html.ts';

const THOUSANDS = new Intl.NumberFormat('en');

/** `1234567` as `1,234,567`. */
export function formatCount(count: number): string {
  return THOUSANDS.format(count);
}

/** `1 version`, `2 versions`. */
export function countOf(count: number, singular: string, plural: string): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

const SIZE_UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes with at most three figures: `812 B`, `1.4 KiB`, `36 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes;
  let unit: string = 'B';
  for (const next of SIZE_UNITS) {
    if (value < 1023.5) break;
    value /= 1024;
    unit = next;
  }
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}

/** The day of a moment, in UTC, with the moment itself for programs and as a tooltip. */
export function timeElement(timeMs: number): Html {
  const iso = new Date(timeMs).toISOString();
  return html`<time datetime="${iso}" title="${iso.slice(0, 16).replace('T', ' ')} UTC">${iso.slice(0, 10)}</time>`;
}

/** A moment to the minute, in UTC. */
export function minuteElement(timeMs: number): Html {
  const iso = new Date(timeMs).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
