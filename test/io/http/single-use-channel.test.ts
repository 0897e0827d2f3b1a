import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../../src/io/http/message.ts';
import type { Transport } from '../../../src/io/http/transport.ts';
import {
  type RecordingServer,
  startRecordingServer,
  type WireAnswer,
} from '../../helpers/recording-server.ts';
import { testTransport } from '../../helpers/test-transport.ts';
import { AUTHORITY } from './certificates.ts';
import { type Answer, startTestServer, type TestServer } from './test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'single-use-'));
const caFile = join(folder, 'ca.pem');
writeFileSync(caFile, AUTHORITY);
afterAll(() => rmSync(folder, { recursive: true }));

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of closing.splice(0).toReversed()) await item.close();
});

async function serve(answer: Answer, protocol: 'http' | 'https' | 'h2'): Promise<TestServer> {
  const server = await startTestServer(answer, protocol);
  closing.push(server);
  return server;
}

async function answering(answer: WireAnswer): Promise<RecordingServer> {
  const server = await startRecordingServer();
  server.restart(() => answer);
  closing.push(server);
  return server;
}

function open(proxy: string | null = null): Transport {
  const transport = testTransport({ proxy, timeoutMs: 5000, caFile, proxyCaFile: caFile });
  closing.push(transport);
  return transport;
}

const put = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  ...{ url, method: 'PUT', headers: {}, maxBytes: 1000 },
  ...more,
});
const once = (transport: Transport, request: HttpRequest): Promise<HttpResponse> =>
  transport.send(request, { isOnce: true });

describe.each(['http', 'https', 'h2'] as const)('over %s', (protocol) => {
  test('sends a body and returns the whole head of the response', async () => {
    let received = '';
    const server = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.toString();
      });
      request.on('end', () => {
        response.writeEarlyHints({ link: '</a>; rel=preload' });
        response.statusCode = 404;
        response.end('gone');
      });
    }, protocol);
    const response = await once(open(), put(server.url, { body: Buffer.from('body') }));
    expect(received).toBe('body');
    expect(response.body.toString()).toBe('gone');
    expect(response.statusLine).toBe(protocol === 'h2' ? 'HTTP/2 404' : 'HTTP/1.1 404 Not Found');
    expect(response.earlier.map(({ status }) => status)).toEqual([103]);
    expect(response.ip).toBe('127.0.0.1');
  });

  test('follows no redirects', async () => {
    const server = await serve((_, response) => {
      response.statusCode = 302;
      response.setHeader('location', '/elsewhere');
      response.end();
    }, protocol);
    expect((await once(open(), put(server.url, { method: 'GET' }))).status).toBe(302);
  });

  test('repeats no request after a lost connection', async () => {
    let seen = 0;
    const server = await serve((request) => {
      seen += 1;
      request.socket.destroy();
    }, protocol);
    const transport = open();
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      seen = 0;
      await expect(once(transport, put(server.url, { method }))).rejects.toThrow(/^\[\d+\] /);
      expect(seen).toBe(1);
    }
  });

  test('returns the response of a server that does not read the whole body', async () => {
    const server = await serve((_, response) => {
      response.statusCode = 413;
      response.end('too large');
    }, protocol);
    const response = await once(open(), put(server.url, { body: Buffer.alloc(3_000_000) }));
    expect([response.status, response.body.toString()]).toEqual([413, 'too large']);
  });
});

test('close does not wait for an idle connection', async () => {
  const server = await serve((_, response) => void response.end('{}'), 'h2');
  const transport = open();
  await once(transport, put(server.url));
  const closed = transport.close().then(() => 'closed');
  // Closing needs no turn of the event loop, which might end before that.
  expect(
    await Promise.race([closed, new Promise((resolve) => void setImmediate(() => resolve('late')))]),
  ).toBe('closed');
});

test('every request opens its own connection', async () => {
  const ports: (number | undefined)[] = [];
  const server = await serve((request, response) => {
    ports.push(request.socket.remotePort);
    response.end('{}');
  }, 'http');
  const transport = open();
  for (let i = 0; i < 3; i += 1) await once(transport, put(server.url));
  expect(new Set(ports).size).toBe(3);
});

describe('Expect: 100-continue', () => {
  /**
   * Starts a server that records the `Expect` headers of the requests, and the size of the body. It refuses the header
   * after `refusalMs`, unless that is null.
   */
  async function startExpecting(protocol: 'http' | 'https', refusalMs: number | null) {
    const expectations: (string | undefined)[] = [];
    let receivedBytes = 0;
    const answer: Answer = (request, response) => {
      expectations.push(request.headers.expect);
      if (request.headers.expect !== undefined) {
        if (refusalMs !== null) {
          response.statusCode = 417;
          return void setTimeout(() => response.end(), refusalMs);
        }
        response.writeContinue();
      }
      request.on('data', (chunk: Buffer) => (receivedBytes += chunk.length));
      request.on('end', () => response.end('{}'));
    };
    const server = await startTestServer(answer, protocol);
    server.onExpectation(answer);
    closing.push(server);
    return { url: server.url, expectations, received: () => receivedBytes };
  }
  const LARGE = 1_100_000;

  test.each([
    ['http', LARGE, undefined],
    ['https', 1_000_000, undefined],
    ['https', LARGE, '100-continue'],
  ] as const)('is sent as by cargo: over %s, with %d bytes: %s', async (protocol, size, expected) => {
    const { url, expectations, received } = await startExpecting(protocol, null);
    await once(open(), put(url, { body: Buffer.alloc(size) }));
    expect(expectations).toEqual([expected]);
    expect(received()).toBe(size);
  });

  test.each([
    ['at once', 0],
    ['after the client has sent the body without a response', 1300],
  ])('is omitted in a second attempt if the server refuses it %s', async (_, delayMs) => {
    const { url, expectations, received } = await startExpecting('https', delayMs);
    const progress: number[] = [];
    const body = Buffer.alloc(LARGE);
    const response = await once(open(), put(url, { body, onSent: (sent) => progress.push(sent) }));
    expect(response.status).toBe(200);
    expect(expectations).toEqual(['100-continue', undefined]);
    expect(received()).toBe(LARGE);
    expect(Math.max(...progress)).toBe(LARGE);
  });

  test('is sent to a proxy', async () => {
    const proxy = await answering({ body: 'by proxy' });
    await once(open(proxy.url), put('http://registry.invalid/', { body: Buffer.alloc(LARGE) }));
    expect(proxy.requests[0]?.headers).toContainEqual(['Expect', '100-continue']);
  });
});

test('a proxy receives the whole URL', async () => {
  const proxy = await answering({ body: 'by proxy' });
  const response = await once(
    open(proxy.url),
    put('http://registry.invalid/api?q', { body: Buffer.from('x') }),
  );
  expect(response.body.toString()).toBe('by proxy');
  const [request] = proxy.requests;
  expect(request).toMatchObject({ method: 'PUT', target: 'http://registry.invalid/api?q' });
  expect(request?.headers).toContainEqual(['host', 'registry.invalid']);
});

describe('unusual responses', () => {
  const exchange = async (raw: string): Promise<HttpResponse> =>
    once(open(), put((await answering({ raw, close: true })).url));

  test.each([
    ['', '[52] Server returned nothing (no headers, no data) (Empty reply from server)'],
    ['garbage\r\n\r\n', '[1] Unsupported protocol (Received HTTP/0.9 when not allowed)'],
    ['HTTP/1.1 000 X\r\n\r\n', '[1] Unsupported protocol (Unsupported response code in HTTP response)'],
    ['HTTP/1.1 200 X\r\nNo colon\r\n\r\n', '[8] Weird server reply (Header without colon)'],
    ['HTTP/1.1 200 X\r\nContent-Length: z\r\n\r\n', '[8] Weird server reply (Invalid Content-Length: value)'],
    [
      'HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\nx',
      '[18] Transferred a partial file (end of response with 8 bytes missing)',
    ],
    [
      'HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
      '[18] Transferred a partial file (transfer closed with outstanding read data remaining)',
    ],
    [`HTTP/1.1 200 X\r\nContent-Length: 2000\r\n\r\n`, '[63] Maximum file size exceeded'],
  ])('cause the error of curl: %j', async (raw, message) => {
    await expect(exchange(raw)).rejects.toThrow(message);
  });

  test('are accepted if curl accepts them', async () => {
    expect(await exchange('HTTP/1.0 500 Bad\r\nA: b\r\n\r\nx')).toMatchObject({
      status: 500,
      statusLine: 'HTTP/1.0 500 Bad',
    });
    expect((await exchange('HTTP/1.1 500 X\nA: b\nContent-Length: 1\n\nx')).status).toBe(500);
    expect((await exchange(`HTTP/1.1 500\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`)).statusLine).toBe(
      'HTTP/1.1 500',
    );
  });

  test('end with a switch to another protocol', async () => {
    const raw = 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nHTTP/1.1 200 OK\r\n\r\n';
    expect(await exchange(raw)).toMatchObject({ status: 101, body: Buffer.alloc(0) });
  });
});
