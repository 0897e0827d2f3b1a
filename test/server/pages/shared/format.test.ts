import { expect, it } from 'vitest';
import {
  countOf,
  formatCount,
  formatSize,
  minuteElement,
  timeElement,
} from '../../../../src/server/pages/shared/format.ts';
import { cratePath, deletionPath, withQuery } from '../../../../src/server/pages/shared/paths.ts';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1434, '1.4 KiB'],
  [10188, '9.9 KiB'],
  [10190, '10 KiB'],
  [1023.4 * 1024, '1023 KiB'],
  [1023.6 * 1024, '1.0 MiB'],
  [5 * 1024 ** 3, '5.0 GiB'],
])('formats %d bytes as %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

it('formats counts with thousands separators and plurals', () => {
  expect(formatCount(1234567)).toBe('1,234,567');
  expect([0, 1, 2].map((count) => countOf(count, 'crate', 'crates'))).toEqual([
    '0 crates',
    '1 crate',
    '2 crates',
  ]);
});

it.each([
  [0, 'just now'],
  [-59_999, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 minute ago'],
  [3_599_999, '59 minutes ago'],
  [3_600_000, '1 hour ago'],
  [3 * 3_600_000, '3 hours ago'],
  [86_399_999, '23 hours ago'],
  [86_400_000, '1 day ago'],
  [30 * 86_400_000, '30 days ago'],
  [31 * 86_400_000, '2026-01-02'],
  [-60_000, '2026-01-02'],
])('describes a time %d milliseconds ago as %s', (ageMs, words) => {
  const ms = Date.UTC(2026, 0, 2, 3, 4, 5);
  expect(timeElement(ms, { nowMs: ms + ageMs }).text).toBe(
    `<time datetime="2026-01-02T03:04:05.000Z" title="2026-01-02 03:04 UTC">${words}</time>`,
  );
});

it('formats exact times in UTC', () => {
  expect(minuteElement(Date.UTC(2026, 0, 2, 3, 4, 5)).text).toBe(
    '<time datetime="2026-01-02T03:04:05.000Z">2026-01-02 03:04 UTC</time>',
  );
});

it('escapes names and query values in paths', () => {
  expect(cratePath('a/b?c#d', '1.0.0+e')).toBe('/crates/a%2Fb%3Fc%23d/1.0.0%2Be');
  expect(new URL(deletionPath('..', '.'), 'http://site.example').pathname).toBe(
    '/admin/crates/%00/%00/delete',
  );
  expect(withQuery('/', { q: 'a&b', page: 1, x: null, y: '' })).toBe('/?q=a%26b');
  expect(withQuery('/', { q: '', page: 2 })).toBe('/?page=2');
});
