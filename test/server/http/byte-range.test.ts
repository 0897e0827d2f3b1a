import { expect, it } from 'vitest';
import { parseByteRange } from '../../../src/server/http/byte-range.ts';

it.each([
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=4-400', { first: 4, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  ['bytes=9-9', { first: 9, last: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=3-2', null],
  ['bytes=-', null],
  ['bytes=0-1,3-4', null],
  ['lines=0-1', null],
  [null, null],
])('parses the range %s of ten bytes', (header, expected) => {
  expect(parseByteRange(header, 10)).toEqual(expected);
});
