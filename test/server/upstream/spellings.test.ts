import { expect, it } from 'vitest';
import { findSpellings } from '../../../src/server/upstream/spellings.ts';

it('returns every spelling of a name, or null if there are too many', () => {
  expect(findSpellings('serde')).toEqual(['serde']);
  expect(findSpellings('a-b_c')?.toSorted()).toEqual(['a-b-c', 'a-b_c', 'a_b-c', 'a_b_c']);
  expect(findSpellings('a-1-2-3-4-5-6')).toHaveLength(64);
  expect(findSpellings('a-1-2-3-4-5-6-7')).toBeNull();
});
