import { expect, test } from 'vitest';
import { humanTime } from '../../../src/core/report/human-time.ts';

test.each([
  [0, '0 seconds'],
  [-5, '0 seconds'],
  [1, '1 second'],
  [59_001, '1 minute'],
  [100_000, '1 minute 40 seconds'],
  [3_600_000, '1 hour'],
  [4_200_000, '1 hour 10 minutes'],
  [3_601_000, '1 hour 1 minute'],
  [7_199_000, '2 hours'],
  [90_000_000, '1 day 1 hour'],
  [365 * 86_400_000, '365 days'],
  [365 * 86_400_000 + 1, 'more than a year'],
  [1e26, 'more than a year'],
  [Number.POSITIVE_INFINITY, 'more than a year'],
  [Number.NaN, 'more than a year'],
])('%d ms are %s', (ms, words) => {
  expect(humanTime(ms)).toBe(words);
});
