import { expect, it } from 'vitest';
import { ClientShare, endingWith } from '../../../src/server/http/client-share.ts';

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

it.each<
  [
    string,
    (stream: ReadableStream<Uint8Array>) => Promise<unknown>,
    (it: ReadableStreamDefaultController<Uint8Array>) => void,
  ]
>([
  ['read to its end', (stream) => new Response(stream).text(), (it) => it.close()],
  ['left', (stream) => stream.cancel(), () => undefined],
  [
    'broken',
    (stream) => new Response(stream).text().catch(() => null),
    (it) => it.error(new Error('broken')),
  ],
])('a stream that is %s has ended', async (_, use, pull) => {
  let ends = 0;
  const stream = endingWith(new ReadableStream({ pull }), () => {
    ends += 1;
  });
  expect(ends).toBe(0);
  await use(stream);
  expect(ends).toBe(1);
});
