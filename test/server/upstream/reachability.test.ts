import { expect, it } from 'vitest';
import { Reachability } from '../../../src/server/upstream/reachability.ts';

it('waits longer after each failure, up to half a minute, and not at all after a success', () => {
  let nowMs = 0;
  const told: unknown[] = [];
  const log = {
    info: (event: string) => told.push(event),
    warning: (event: string, values = {}) => told.push({ event, ...values }),
    error: () => undefined,
  };
  const reach = new Reachability('index', { clock: { now: () => nowMs }, log });
  const pauses = Array.from({ length: 7 }, () => {
    reach.failed('no answer', nowMs);
    const beganMs = nowMs;
    while (reach.reasonToWait !== null) nowMs += 500;
    return nowMs - beganMs;
  });
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(told[0]).toEqual({ event: 'upstream-away', part: 'index', reason: 'no answer', pauseMs: 1_000 });
  expect(reach.isReached).toBe(false);
  reach.succeeded();
  reach.succeeded();
  expect([reach.isReached, reach.reasonToWait, told.length]).toEqual([true, null, 8]);
});

it('counts concurrent failures as one', () => {
  let nowMs = 10;
  const log = { info: () => undefined, warning: () => undefined, error: () => undefined };
  const reach = new Reachability('index', { clock: { now: () => nowMs }, log });
  for (let i = 0; i < 10; i += 1) {
    nowMs += 1;
    reach.failed('no answer', 5);
  }
  expect(reach.reasonToWait).toBe('no answer');
  nowMs = 11 + 1_000;
  expect(reach.reasonToWait).toBeNull();
});

it('counts refused requests as a failure only if they are for several paths', () => {
  let nowMs = 0;
  const log = { info: () => undefined, warning: () => undefined, error: () => undefined };
  const reach = new Reachability('index', { clock: { now: () => nowMs }, log });
  const refuse = (path: string): string | null => {
    nowMs += 1;
    reach.pathFailed(path, 'it answered with 500', nowMs);
    return reach.reasonToWait;
  };
  expect([refuse('/a'), refuse('/a'), refuse('/a')]).toEqual([null, null, null]);
  reach.succeeded();
  expect([refuse('/b'), refuse('/b'), refuse('/a')]).toEqual([null, null, 'it answered with 500']);
  nowMs += 60_000;
  expect(refuse('/a')).toBe('it answered with 500');
});
