import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareBytes } from '../../../src/core/files/compare-bytes.ts';
import { sortByKey } from '../../../src/core/files/sort-by-key.ts';

it('orders a map by the bytes of its keys, and returns a sorted map itself', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 2 }), { maxLength: 8 }), (keys) => {
      const sorted = sortByKey(new Map(keys.map((key) => [key, `of ${key}`])));
      expect([...sorted.keys()]).toEqual(keys.toSorted(compareBytes));
      for (const [key, value] of sorted) expect(value).toBe(`of ${key}`);
      expect(sortByKey(sorted)).toBe(sorted);
    }),
  );
});
