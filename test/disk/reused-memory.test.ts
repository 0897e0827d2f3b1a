import { expect, test } from 'vitest';
import { ReusedMemory } from '../../src/disk/reused-memory.ts';

test('gives memory to one taker after the other, and never to two', () => {
  const memory = new ReusedMemory();
  const [first, second] = [memory.take(1000), memory.take(3000)];
  expect([first, second].map(({ length, byteOffset }) => [length, byteOffset])).toEqual([
    [1000, 0],
    [3000, 0],
  ]);
  expect(first.buffer).not.toBe(second.buffer);
  memory.freeAll();
  const [a, b, c] = [memory.take(1010), memory.take(900), memory.take(5)];
  expect(a.length).toBe(1010);
  expect(a.buffer).toBe(first.buffer);
  expect(b.buffer).toBe(second.buffer);
  expect([first.buffer, second.buffer]).not.toContain(c.buffer);
});

test('keeps no more blocks than were taken at once', () => {
  const memory = new ReusedMemory();
  const short = memory.take(10);
  memory.freeAll();
  const long = memory.take(1000);
  memory.freeAll();
  const [again, other] = [memory.take(10), memory.take(10)];
  expect(again.buffer).toBe(long.buffer);
  expect(other.buffer).not.toBe(short.buffer);
});
