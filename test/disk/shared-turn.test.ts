import { expect, it } from 'vitest';
import { SharedTurn } from '../../src/disk/shared-turn.ts';

/** Work that ends when it is told to. */
function makeWork(): {
  readonly turns: SharedTurn;
  readonly begun: () => number;
  readonly end: (error?: Error) => Promise<void>;
} {
  const waiting: ((error?: Error) => void)[] = [];
  let begun = 0;
  const turns = new SharedTurn(() => {
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

it('shares the next turn among all who come while one is under way', async () => {
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

it('fails for those of a turn alone', async () => {
  const { turns, end } = makeWork();
  const results = Promise.allSettled([turns.join(), turns.join()]);
  await end(new Error('gone'));
  await end();
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
