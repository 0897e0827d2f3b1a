import { expect, it } from 'vitest';
import { RateLimit } from '../../../src/server/http/rate-limit.ts';

function limitOf(perMinute: number): { readonly limit: RateLimit; readonly pass: (ms: number) => void } {
  let now = 1_000_000;
  return {
    limit: new RateLimit(perMinute, { now: () => now }),
    pass: (ms) => {
      now += ms;
    },
  };
}

it('lets as many through at once as in a minute, and says when there is room again', () => {
  const { limit, pass } = limitOf(3);
  expect([limit.take('a'), limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 0, 20]);
  expect(limit.take('b')).toBe(0);
  pass(19_000);
  expect(limit.take('a')).toBe(1);
  pass(1_000);
  expect([limit.wait('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 20]);
  pass(3_600_000);
  expect([limit.take('a'), limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 0, 20]);
});

it('has no limit at 0', () => {
  const { limit } = limitOf(0);
  for (let i = 0; i < 1000; i += 1) expect(limit.take('a')).toBe(0);
});
