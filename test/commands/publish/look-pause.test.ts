import { expect, test } from 'vitest';
import { lookPauseMs } from '../../../src/commands/publish/look-pause.ts';

test('the pauses between looks at the index start at 50 ms and grow to a second', () => {
  const pauses = Array.from({ length: 7 }, (_, index) => lookPauseMs(index + 1));
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1000, 1000]);
  expect(lookPauseMs(5000)).toBe(1000);
});
