import { expect, it } from 'vitest';
import { CoalescedTask } from '../../../src/io/disk/coalesced-task.ts';

/** Creates a coalesced task whose runs end on demand. */
function makeWork(): {
  readonly turns: CoalescedTask;
  readonly begun: () => number;
  readonly end: (error?: Error) => Promise<void>;
} {
  const waiting: ((error?: Error) => void)[] = [];
  let begun = 0;
  const turns = new CoalescedTask(() => {
    begun += 1;
    return new Promise((resolve, reject) => {
      waiting.push((error) => (error === undefined ? resolve() : reject(error)));
    });
  });
  return {
    turns,
    begun: () => begun,
    async end(error) {
      waiting.shift()?.(error);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('shares the next run among all callers that join during a run', async () => {
  const { turns, begun, end } = makeWork();
  const done: string[] = [];
  const join = (name: string): void => void turns.join().then(() => done.push(name));
  join('first');
  for (const name of ['a', 'b', 'c']) join(name);
  expect(begun()).toBe(1);
  await end();
  expect([done, begun()]).toEqual([['first'], 2]);
  join('d');
  await end();
  expect([done, begun()]).toEqual([['first', 'a', 'b', 'c'], 3]);
  await end();
  expect(done).toEqual(['first', 'a', 'b', 'c', 'd']);
  join('later');
  expect(begun()).toBe(4);
});

it("never runs twice at the same time, at whatever moment of a run's end a caller joins", async () => {
  for (let ticks = 0; ticks < 10; ticks += 1) {
    let running = 0;
    let most = 0;
    let end = (): void => {};
    const turns = new CoalescedTask(() => {
      running += 1;
      most = Math.max(most, running);
      return new Promise((resolve) => {
        end = () => {
          running -= 1;
          resolve();
        };
      });
    });
    const joined = [turns.join(), turns.join()];
    end();
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    joined.push(turns.join());
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (running > 0) end();
    }
    await Promise.all(joined);
    expect(most, `after ${ticks} ticks`).toBe(1);
  }
});

it('rejects only the callers of the failed run', async () => {
  const { turns, end } = makeWork();
  const results = Promise.allSettled([turns.join(), turns.join()]);
  await end(new Error('gone'));
  await end();
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
