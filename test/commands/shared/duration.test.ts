import { expect, test } from 'vitest';
import { parseDuration } from '../../../src/commands/shared/duration.ts';

test.each([
  ['0', 0],
  ['90', 90_000],
  ['90s', 90_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
])('parses %s', (text, ms) => {
  expect(parseDuration(text, '--wait')).toBe(ms);
});

test.each(['', '-1', '1.5s', '5 m', '5d', 'm', '1h30', '99999999999', '1e3'])('refuses %j', (text) => {
  expect(() => parseDuration(text, '--wait')).toThrow('`--wait` takes a length of time such as');
});
