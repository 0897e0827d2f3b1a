import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PacedStreams } from '../../../src/server/http/paced-streams.ts';

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
])('calls the end callback once for a stream that is %s', async (_, use, pull) => {
  let ends = 0;
  const stream = new PacedStreams().pass(new ReadableStream({ pull }), () => {
    ends += 1;
  });
  expect(ends).toBe(0);
  await use(stream);
  expect(ends).toBe(1);
});

it('cuts off slow readers only while there are many streams', async () => {
  const streams = new PacedStreams({ maxUnpaced: 2, periodMs: 100, minBytes: 10 });
  let sources = 0;
  let ends = 0;
  const open = (): ReadableStreamDefaultReader<Uint8Array> => {
    sources += 1;
    const source = new ReadableStream<Uint8Array>(
      {
        pull: (it) => it.enqueue(new Uint8Array(4)),
        cancel: () => void (sources -= 1),
      },
      { highWaterMark: 0 },
    );
    return streams.pass(source, () => void (ends += 1)).getReader();
  };
  const slow = [open(), open()];
  await Promise.all(slow.map((reader) => reader.read()));
  await sleep(350);
  expect([sources, ends]).toEqual([2, 0]);
  const quick = open();
  let isReading = true;
  const reading = (async () => {
    for (; isReading; await sleep(10)) await quick.read();
  })();
  await expect.poll(() => ends, { timeout: 3_000 }).toBe(2);
  expect(sources).toBe(1);
  for (const reader of slow) await expect(reader.read()).rejects.toThrow('too slow');
  await sleep(350);
  isReading = false;
  await reading;
  await quick.cancel();
  expect([sources, ends]).toEqual([0, 3]);
});
