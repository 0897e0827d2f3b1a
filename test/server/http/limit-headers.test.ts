import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiError, respondWithError } from '../../../src/server/http/api-error.ts';
import type { HttpEnv } from '../../../src/server/http/http-env.ts';
import { limitHeaders } from '../../../src/server/http/limit-headers.ts';
import { listen, type Listener } from '../../../src/server/http/listen.ts';

let listener: Listener;

beforeAll(async () => {
  const app = new Hono<HttpEnv>();
  app.use(limitHeaders());
  app.onError((error, c) => respondWithError(c, error instanceof ApiError ? error : new ApiError(500, '')));
  app.get('/', (c) => c.text(c.req.header('x-last') ?? 'dropped'));
  listener = await listen({ address: { host: '127.0.0.1', port: 0 }, tls: null });
  listener.serve(app.fetch);
});

afterAll(() => listener.stop(0));

async function answerTo(lines: number): Promise<string> {
  const socket = connect(listener.address.port, '127.0.0.1');
  await once(socket, 'connect');
  const fillers = Array.from({ length: lines - 3 }, (_, i) => `X-H${i}: 1`);
  socket.write(
    ['GET / HTTP/1.1', 'Host: x', 'Connection: close', ...fillers, 'X-Last: kept', '', ''].join('\r\n'),
  );
  return await text(socket);
}

it('accepts 100 header lines and drops none of them', async () => {
  expect(await answerTo(100)).toMatch(/^HTTP\/1\.1 200 .*kept/s);
});

it.each([101, 102, 150, 600])('refuses %s header lines', async (lines) => {
  expect(await answerTo(lines)).toMatch(/^HTTP\/1\.1 431 .*too many headers \(max 100\)/s);
});
