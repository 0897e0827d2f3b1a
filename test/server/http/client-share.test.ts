import { expect, it } from 'vitest';
import { ClientShare } from '../../../src/server/http/client-share.ts';

it('gives each address so many at a time, and each of them back once', async () => {
  const share = new ClientShare(2);
  const [first] = [share.take('a'), share.take('a')];
  expect(() => share.take('a')).toThrow('too many requests of this address');
  share.take('b');
  first();
  first();
  share.take('a');
  expect(() => share.take('a')).toThrow('too many requests of this address');
  const other = new ClientShare(1);
  await expect(other.during('a', async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await other.during('a', async () => 5)).toBe(5);
});
