import { afterAll, beforeAll, expect, it } from 'vitest';
import { RateLimit } from '../../../src/server/http/rate-limit.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openTestRegistry();
});
afterAll(() => registry[Symbol.asyncDispose]());

/** Returns one limit as two processes have it, and a function that lets time pass. */
function limitsOf(
  name: string,
  perMinute: number,
): { readonly limits: readonly RateLimit[]; readonly pass: (ms: number) => void } {
  let now = 1_000_000;
  const clock = { now: () => now };
  return {
    limits: [1, 2].map(() => new RateLimit(registry.store.records, { name, perMinute, clock })),
    pass: (ms) => {
      now += ms;
    },
  };
}

async function take(
  limit: RateLimit | undefined,
  ...clients: readonly string[]
): Promise<readonly unknown[]> {
  const waits: unknown[] = [];
  for (const client of clients) waits.push(await limit?.consume(client));
  return waits;
}

it('allows the events of a minute at once, then returns the seconds to wait', async () => {
  const {
    limits: [limit],
    pass,
  } = limitsOf('steady', 3);
  expect(await take(limit, 'a', 'a', 'a', 'a')).toEqual([0, 0, 0, 20]);
  expect(await take(limit, 'b')).toEqual([0]);
  pass(19_000);
  expect(await take(limit, 'a')).toEqual([1]);
  pass(1_000);
  expect([await limit?.peek('a'), ...(await take(limit, 'a', 'a'))]).toEqual([0, 0, 20]);
  pass(3_600_000);
  expect(await take(limit, 'a', 'a', 'a', 'a')).toEqual([0, 0, 0, 20]);
});

it('counts all processes together and each limit separately', async () => {
  const {
    limits: [one, other],
  } = limitsOf('shared', 3);
  expect([...(await take(one, 'a', 'a')), ...(await take(other, 'a', 'a'))]).toEqual([0, 0, 0, 20]);
  expect(await one?.peek('a')).toBe(20);
  expect(await take(limitsOf('another', 3).limits[0], 'a')).toEqual([0]);
});

it('does not exceed the limit for concurrent events', async () => {
  const { limits } = limitsOf('crowd', 10);
  const waits = await Promise.all(
    limits.flatMap((limit) => Array.from({ length: 20 }, () => limit.consume('a'))),
  );
  expect(waits.filter((wait) => wait === 0).length).toBe(10);
});

it('allows all events if the limit is 0', async () => {
  const {
    limits: [limit],
  } = limitsOf('none', 0);
  for (let i = 0; i < 1000; i += 1) expect(await limit?.consume('a')).toBe(0);
});
