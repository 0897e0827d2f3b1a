import { expect, it } from 'vitest';
import { hasFilters, parseSearch } from '../../../src/server/pages/search-text.ts';

const NOTHING = { query: '', keywords: [], categories: [], owners: [] };

it('separates the filters of a search from its words', () => {
  expect(parseSearch('fast keyword:JSON  parser owner:Mira category:a::b Keyword:x')).toEqual({
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
