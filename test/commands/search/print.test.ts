import { expect, test } from 'vitest';
import { missingPageText, type SearchTextOptions, searchText } from '../../../src/commands/search/print.ts';
import { stripStyles } from '../../../src/io/terminal/style.ts';
import type { SearchResult } from '../../../src/commands/search/run.ts';

function result(
  crates: readonly (readonly [name: string, version: string, description: string | null])[],
  total: number,
  query = 'q',
): SearchResult {
  const registry = { name: 'mock', index: 'sparse+http://h/', api: 'http://h' };
  const entries = crates.map(([name, maxVersion, description]) => ({ name, maxVersion, description }));
  return { document: { version: 1, registry, query, total, crates: entries }, isCratesIo: false };
}

const options: SearchTextOptions = { limit: 10, page: null, exact: false };
const plain = (found: SearchResult, more: Partial<SearchTextOptions> = {}): string =>
  stripStyles(searchText(found, { ...options, ...more }));

test('aligns descriptions in a column', () => {
  const found = result(
    [
      ['hoare', '0.1.1', 'a\nb'],
      ['nodesc', '1.0.0', null],
      ['é', '1', 'x'],
    ],
    3,
  );
  expect(plain(found)).toBe('hoare = "0.1.1"     # a b\nnodesc = "1.0.0"\né = "1"             # x\n');
});

test('truncates long descriptions', () => {
  const lines = plain(
    result(
      [111, 112, 113].map((length) => ['abc', '1.0.0', 'é'.repeat(length)] as const),
      3,
    ),
  ).split('\n');
  expect(lines.map((line) => line.slice(19))).toEqual([
    `${'é'.repeat(110)}…`,
    `${'é'.repeat(110)}…`,
    `${'é'.repeat(110)}…`,
    '',
  ]);
});

test('does not truncate the description after an overlong name', () => {
  const text = plain(result([['n'.repeat(130), '1', 'd'.repeat(500)]], 1));
  expect(text).toContain(`# ${'d'.repeat(500)}\n`);
});

test('colours case-sensitive matches of the query', () => {
  expect(searchText(result([['bob', '1', 'B b']], 1, 'b'), options)).toBe(
    '\x1b[1m\x1b[92mb\x1b[0mo\x1b[1m\x1b[92mb\x1b[0m = "1"    # B \x1b[1m\x1b[92mb\x1b[0m\n',
  );
});

test('removes control characters of the registry', () => {
  const text = searchText(result([['a', '1', 'x\x1b[2Jy\rz']], 1), options);
  expect(text).toBe('a = "1"    # xy z\n');
});

test('ends with the number of further crates and how to see them', () => {
  const found = result([['a', '1', null]], 250);
  expect(plain(found)).toContain('\n... and 240 crates more (use --limit N to see more)\n');
  expect(plain(found, { limit: 100 })).toContain('\n... and 150 crates more\n');
  expect(plain(found, { page: 3 })).toContain('\n... and 220 crates more (use --page 4 to see more)\n');
  expect(plain(found, { page: 25 })).toBe('a = "1"\n');
  expect(plain(found, { page: 'all' })).toBe('a = "1"\n');
  expect(plain(found, { exact: true })).toBe('a = "1"\n');
  const there = { ...result([['a', '1', null]], 250, 'a b+c'), isCratesIo: true };
  expect(plain(there, { limit: 100 })).toContain(
    '... and 150 crates more (go to https://crates.io/search?q=a+b%2Bc to see more)',
  );
});

test('distinguishes an empty page from a page that does not exist', () => {
  const missing = (total: number, page: number): string =>
    missingPageText(result([], total).document, { page, limit: 10 });
  expect(missing(1, 2)).toBe('there is no page 2: the registry found 1 crate, 1 page of 10');
  expect(missing(20, 3)).toBe('there is no page 3: the registry found 20 crates, 2 pages of 10');
  expect(missing(30, 3)).toBe('nothing is on page 3, but the registry counts 30 crates');
});
