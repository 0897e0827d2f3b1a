import { expect, it } from 'vitest';
import {
  addFilters,
  hasFilters,
  ignoredFilters,
  invalidRustFilters,
  parseSearch,
} from '../../../../src/server/pages/browse/search-text.ts';

const NOTHING = {
  ...{ query: '', keywords: [], categories: [], owners: [] },
  ...{ licenses: [], rustVersions: [], features: [] },
};

it('separates the filters of a search from its words', () => {
  expect(parseSearch('fast keyword:JSON  parser owner:Mira category:a::b Keyword:x')).toEqual({
    ...NOTHING,
    query: 'fast parser',
    keywords: ['json', 'x'],
    categories: ['a::b'],
    owners: ['mira'],
  });
  expect(parseSearch('http://x:y keywords:a std:vec')).toEqual({
    ...NOTHING,
    query: 'http://x:y keywords:a std:vec',
  });
  expect(parseSearch(' ')).toEqual(NOTHING);
});

it('takes words that only begin like a filter as words', () => {
  const query = 'keywords owners licenses features rusty feature';
  expect(parseSearch(query)).toEqual({ ...NOTHING, query });
});

it('ignores filters without a value, repeated ones, and more than five', () => {
  expect(parseSearch('json keyword:')).toEqual({ ...NOTHING, query: 'json' });
  expect(parseSearch('keyword:a keyword:A').keywords).toEqual(['a']);
  const many = Array.from({ length: 50 }, (_, i) => `keyword:k${i} owner:o${i}`).join(' ');
  const { keywords, owners } = parseSearch(many);
  expect([
    keywords.length + owners.length,
    hasFilters(parseSearch('json')),
    hasFilters(parseSearch('owner:a')),
  ]).toEqual([5, false, true]);
});

it('reads filters by license, Rust version and feature', () => {
  expect(parseSearch('license:MIT Rust:1.70 feature:Serde http')).toEqual({
    ...NOTHING,
    query: 'http',
    licenses: ['mit'],
    rustVersions: ['1.70'],
    features: ['Serde'],
  });
});

it('names the filters that are too many', () => {
  expect(ignoredFilters('a keyword:a keyword:b keyword:c owner:d owner:e owner:e')).toEqual([]);
  expect(ignoredFilters('keyword:a keyword:b keyword:c owner:d owner:e feature:F License:MIT/Zlib')).toEqual([
    'feature:F',
    'license:mit',
    'license:zlib',
  ]);
});

it('reads the old spelling of OR in a license as several filters', () => {
  expect(parseSearch('license:MIT/Apache-2.0').licenses).toEqual(['mit', 'apache-2.0']);
  expect(parseSearch('license:MIT/').licenses).toEqual(['mit']);
});

it('accepts a Rust version that is still being typed, and takes other texts as words', () => {
  expect(parseSearch('rust:').rustVersions).toEqual([]);
  expect(parseSearch('rust:1.').rustVersions).toEqual(['1']);
  for (const odd of ['rust:nightly', 'rust:1.2.3.4', 'rust:1234567', 'rust:-1', 'rust:1..2'])
    expect(parseSearch(odd)).toEqual({ ...NOTHING, query: odd });
});

it('names filters by Rust version that have no version, each once', () => {
  expect(invalidRustFilters('a rust:abc rust:1.70 rust: RUST:1.x rust:abc license:x')).toEqual([
    'rust:abc',
    'RUST:1.x',
  ]);
});

it('adds filters to a search, one for each word of a value and each license of an expression', () => {
  const values = new Map([
    ['license', ' (MIT OR Apache-2.0) and ISC '],
    ['keyword', 'json or'],
  ]);
  const valueOf = (kind: string): string => values.get(kind) ?? '';
  expect(addFilters('fast', valueOf, 200)).toBe(
    'fast license:MIT license:Apache-2.0 license:ISC keyword:json keyword:or',
  );
  expect(addFilters('', () => '', 200)).toBe('');
});

it('leaves out filters that would make a search too long, as a whole', () => {
  const valueOf = (kind: string): string =>
    kind === 'owner' ? 'mira' : kind === 'license' ? 'Apache-2.0' : '';
  expect(addFilters('x'.repeat(185), valueOf, 200)).toBe(`${'x'.repeat(185)} owner:mira`);
  expect(addFilters('x'.repeat(195), valueOf, 200)).toBe('x'.repeat(195));
});
