import { expect, it } from 'vitest';
import { ClientLimit } from '../../../src/server/http/client-limit.ts';

it('limits concurrent requests per address and releases each of them once', async () => {
  const share = new ClientLimit(2);
  const [first] = [share.take('a'), share.take('a')];
  expect(() => share.take('a')).toThrow('too many requests from this address');
  share.take('b');
  first();
  first();
  share.take('a');
  expect(() => share.take('a')).toThrow('too many requests from this address');
  const other = new ClientLimit(1);
  await expect(other.during('a', async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await other.during('a', async () => 5)).toBe(5);
});

it('treats addresses of one /64 as one client', () => {
  const share = new ClientLimit(1);
  const release = share.take('2001:db8:0:1::1');
  expect(() => share.take('2001:db8:0:1:ffff::2')).toThrow('too many requests from this address');
  share.take('2001:db8:0:2::1');
  release();
  expect(() => share.take('2001:db8:0:1:ffff::2')).not.toThrow();
});

it('applies the overload limit once total usage is high', () => {
  const share = new ClientLimit(4, { from: 8, max: 1 });
  const releases = ['a', 'b'].flatMap((address) => [1, 2, 3, 4].map(() => share.take(address)));
  for (const address of ['a', 'b']) expect(() => share.take(address)).toThrow('too many requests');
  const third = share.take('c');
  expect(() => share.take('c')).toThrow('too many requests');
  share.take('d');
  // A client above the overload limit keeps its units, and gets more once total usage is low.
  for (const release of releases.slice(0, 3)) {
    release();
    release();
  }
  share.take('c');
  third();
  expect(() => share.take('a')).not.toThrow();
});
