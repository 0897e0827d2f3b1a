import { expect, it } from 'vitest';
import { parseQuery, wordsOf } from '../../../src/server/records/search-words.ts';

const words = (name: string, texts: string): string =>
  wordsOf(name, texts)
    .map(({ word, isInName }) => (isInName ? `${word}*` : word))
    .toSorted()
    .join(' ');

it('indexes every part of a name, but other texts only from the start of words', () => {
  expect(words('ab_cd', '')).toBe('_cd* ab_cd* b_cd*');
  expect(words('ab', 'Ab is on 2 by-the-way'.toLowerCase())).toBe('by_the_way the_way way');
  expect(words('abc', '["abc","net"]\nabc: über c++, node.js (“quoted”)')).toBe(
    'abc* c++ net node quoted über',
  );
  expect(words('x', '__init__ a_b')).toBe('a_b init');
  expect(words('x', '非同期処理')).toBe('同期処理 期処理 非同期処理');
  expect(words('x', 'y'.repeat(100))).toBe('y'.repeat(64));
});

it('splits queries in the same way', () => {
  expect(parseQuery(' \0 ')).toBeNull();
  expect(parseQuery('Serde-JSON')).toEqual({ name: 'serde_json', words: ['serde_json'], beginnings: [] });
  expect(parseQuery('"fun" 100% a.b')).toEqual({
    ...{ name: '"fun"_100%_a.b', words: ['fun', '100'], beginnings: ['a.b'] },
  });
  expect(parseQuery('name:serde x')).toEqual({
    ...{ name: 'name:serde_x', words: ['name', 'serde'], beginnings: ['x'] },
  });
  expect(parseQuery('%%%')).toEqual({ name: '%%%', words: [], beginnings: ['%%%'] });
  expect(parseQuery('tokio tokio')?.words).toEqual(['tokio']);
});
