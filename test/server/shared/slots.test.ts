import { expect, it } from 'vitest';
import { Slots } from '../../../src/server/shared/slots.ts';

it('refuses work that waited too long and continues with the next', async () => {
  const slots = new Slots(1, 5, { maxWaitMs: 30 });
  let end = (): void => undefined;
  const first = slots.run(
    () =>
      new Promise<string>((resolve) => {
        end = () => resolve('first');
      }),
    () => new Error('too many'),
  );
  const work = (): Promise<string> =>
    slots.run(
      () => Promise.resolve('next'),
      () => new Error('too late'),
    );
  await expect(work()).rejects.toThrow('too late');
  const next = work();
  end();
  expect(await first).toBe('first');
  expect(await next).toBe('next');
});

it('limits concurrent work, keeps its order, and refuses work if the queue is full', async () => {
  const slots = new Slots(2, 1);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (id: number): Promise<number> =>
    slots.run(
      async () => {
        begun.push(id);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (id === 1) throw new Error('failed');
        return id;
      },
      () => new Error('too many'),
    );
  const first = [work(0), work(1), work(2)];
  await expect(work(3)).rejects.toThrow('too many');
  expect(begun).toEqual([0, 1]);
  ends[1]?.();
  await expect(first[1]).rejects.toThrow('failed');
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.();
  ends[2]?.();
  expect(await Promise.all([first[0], first[2]])).toEqual([0, 2]);
});

it('lets owners take turns and gives none of them more than half of the queue', async () => {
  const slots = new Slots(1, 8);
  const begun: string[] = [];
  const work = (owner: string): Promise<void> =>
    slots.run(
      async () => {
        begun.push(owner);
        await Promise.resolve();
      },
      () => new Error('too many'),
      { owner },
    );
  const all = Array.from({ length: 5 }, () => work('greedy'));
  const refused = expect(work('greedy')).rejects.toThrow('too many');
  all.push(work('modest'), work('humble'));
  await Promise.all([...all, refused]);
  expect(begun).toEqual(['greedy', 'greedy', 'modest', 'greedy', 'humble', 'greedy', 'greedy']);
});
