import { expect, it } from 'vitest';
import { BoundedCache } from '../../../src/server/shared/bounded-cache.ts';

it('evicts the values that were not used for the longest time', () => {
  const cache = new BoundedCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  expect(cache.get('a')).toBe('A');
  cache.set('c', 'C', 4);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['A', null, 'C']);
});

it('keeps its other values if one is larger than the cache', () => {
  const cache = new BoundedCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 11);
  expect([cache.get('a'), cache.get('b')]).toEqual(['A', null]);
});

it('counts a replaced value once', () => {
  const cache = new BoundedCache<string>(10);
  for (let i = 0; i < 5; i += 1) cache.set('a', `A${i}`, 6);
  cache.set('b', 'B', 4);
  expect([cache.get('a'), cache.get('b')]).toEqual(['A4', 'B']);
});
