import { expect, it } from 'vitest';
import { HourlyCount } from '../../../src/server/shared/hourly-count.ts';

const HOUR_MS = 60 * 60_000;

it('counts the events of the last 24 hours', () => {
  const count = new HourlyCount(0);
  for (const hour of [0, 0, 1, 5, 23]) count.add(hour * HOUR_MS);
  expect(count.total(23 * HOUR_MS)).toBe(5);
  expect(count.total(24 * HOUR_MS)).toBe(3);
  expect(count.total(29 * HOUR_MS)).toBe(1);
  count.add(100 * HOUR_MS);
  expect(count.total(100 * HOUR_MS)).toBe(1);
  expect(count.sinceMs).toBe(0);
});
