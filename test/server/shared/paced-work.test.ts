import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PacedWork, TooMuchWork } from '../../../src/server/shared/paced-work.ts';

it('rests after work for twice as long as it took, but returns the result before', async () => {
  const paced = new PacedWork();
  const begunAtMs: number[] = [];
  const work = async (): Promise<number> => {
    begunAtMs.push(performance.now());
    await sleep(50);
    return performance.now();
  };
  const [firstEndMs] = await Promise.all([paced.run(work), paced.run(work)]);
  const [, secondMs = 0] = begunAtMs;
  expect(secondMs - firstEndMs).toBeGreaterThanOrEqual(95);
});

it('passes errors on', async () => {
  const failing = new PacedWork().run(() => Promise.reject(new Error('away')));
  await expect(failing).rejects.toThrow('away');
});

it('refuses work if too much waits', async () => {
  const paced = new PacedWork();
  let finish = (): void => undefined;
  const first = paced.run(() => new Promise<void>((resolve) => (finish = resolve)));
  const others = Array.from({ length: 60 }, () => paced.run(() => Promise.resolve()));
  const refused = await Promise.all(
    others.map((other) => Promise.race([other.catch((error) => error), sleep(20)])),
  );
  expect(refused.filter((error) => error instanceof TooMuchWork)).toHaveLength(10);
  finish();
  await first;
  await Promise.allSettled(others);
});
