import { expect, it } from 'vitest';
import { RecentValues } from '../../../src/server/shared/recent-values.ts';

function make(maxSize = 10): { nowMs: number; readonly values: RecentValues<number> } {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const values = new RecentValues<number>({
    clock,
    maxAgeMs: (value) => (value < 0 ? 10 : 100),
    maxSize,
    sizeOf: () => 1,
  });
  return Object.assign(clock, { values });
}

/** Returns a function that counts its calls. */
function counter(): () => Promise<number> {
  let calls = 0;
  return () => Promise.resolve((calls += 1));
}

it('computes a value once for concurrent callers, and again when it is old', async () => {
  const recent = make();
  const count = counter();
  const ask = (): Promise<number> => recent.values.get('a', count);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  recent.nowMs = 99;
  expect(await ask()).toBe(1);
  recent.nowMs = 100;
  expect(await ask()).toBe(2);
  expect(await recent.values.get('b', count)).toBe(3);
});

it('lets the value decide how long it is used', async () => {
  const recent = make();
  expect(await recent.values.get('a', () => Promise.resolve(-1))).toBe(-1);
  recent.nowMs = 10;
  expect(await recent.values.get('a', () => Promise.resolve(2))).toBe(2);
});

it('counts the age from the start of the work', async () => {
  const recent = make();
  await recent.values.get('a', () => {
    recent.nowMs = 100;
    return Promise.resolve(1);
  });
  expect(await recent.values.get('a', () => Promise.resolve(2))).toBe(2);
});

it('does not cache errors, and evicts values if there is no room', async () => {
  const { values } = make(1);
  await expect(values.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  const count = counter();
  expect([await values.get('a', count), await values.get('b', count), await values.get('a', count)]).toEqual([
    1, 2, 3,
  ]);
});

it('counts the size of the key too if `sizeOf` does', async () => {
  const values = new RecentValues<number>({
    ...{ clock: { now: () => 0 }, maxAgeMs: () => 1, maxSize: 5 },
    sizeOf: (_, key) => key.length,
  });
  const count = counter();
  for (const key of ['aaa', 'bb', 'aaa', 'ccc', 'bb']) await values.get(key, count);
  expect([await values.get('ccc', count), await count()]).toEqual([3, 5]);
});

it('forgets values, also those that are being computed', async () => {
  const { values } = make();
  let finish: (value: number) => void = () => undefined;
  const running = values.get('a', () => new Promise<number>((resolve) => (finish = resolve)));
  values.clear();
  expect(await values.get('a', () => Promise.resolve(2))).toBe(2);
  finish(1);
  expect(await running).toBe(1);
  expect(await values.get('a', () => Promise.resolve(3))).toBe(2);
});
