import { expect, it } from 'vitest';
import { CoalescedTasks } from '../../../src/server/shared/coalesced-tasks.ts';

/** Returns work that ends when `end` is called or its signal is aborted, and what happened to it. */
function heldWork(): {
  readonly work: (signal: AbortSignal) => Promise<string>;
  readonly end: () => void;
  readonly starts: () => number;
} {
  let starts = 0;
  const ends: (() => void)[] = [];
  return {
    work: (signal) => {
      starts += 1;
      return new Promise((resolve, reject) => {
        ends.push(() => resolve('done'));
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      });
    },
    end: () => {
      for (const end of ends) end();
    },
    starts: () => starts,
  };
}

const never = (): AbortSignal => new AbortController().signal;

it('runs a task once for all callers that wait for it', async () => {
  const tasks = new CoalescedTasks<string>();
  const { work, end, starts } = heldWork();
  const results = [tasks.run('a', never(), work), tasks.run('a', never(), work)];
  end();
  expect(await Promise.all(results)).toEqual(['done', 'done']);
  expect(starts()).toBe(1);
});

it('runs tasks of other keys, and a task again after its end', async () => {
  const tasks = new CoalescedTasks<string>();
  const work = (): Promise<string> => Promise.resolve('x');
  const { starts, work: held, end } = heldWork();
  const first = tasks.run('a', never(), held);
  expect(await tasks.run('b', never(), work)).toBe('x');
  end();
  await first;
  const second = tasks.run('a', never(), held);
  end();
  expect([await second, starts()]).toEqual(['done', 2]);
});

it('stops a task when the last caller has gone away', async () => {
  const tasks = new CoalescedTasks<string>();
  const { work, starts } = heldWork();
  const [one, other] = [new AbortController(), new AbortController()];
  const results = [tasks.run('a', one.signal, work), tasks.run('a', other.signal, work)];
  const ended = Promise.allSettled(results);
  one.abort();
  expect(await Promise.race([ended, Promise.resolve('running')])).toBe('running');
  other.abort();
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  // The stopped task is not shared with later callers.
  const late = heldWork();
  const result = tasks.run('a', never(), late.work);
  late.end();
  expect([await result, starts()]).toEqual(['done', 1]);
});

it('starts nothing for a caller that has gone away before', async () => {
  const { work, starts } = heldWork();
  await expect(new CoalescedTasks<string>().run('a', AbortSignal.abort(), work)).rejects.toThrow();
  expect(starts()).toBe(0);
});
