import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { CurlError } from '../../../src/io/http/curl-error.ts';
import type { Transport } from '../../../src/io/http/transport.ts';
import { testTransport } from '../../helpers/test-transport.ts';
import { AUTHORITY } from './certificates.ts';
import { type Answer, startTestServer, type TestServer } from './test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'upload-'));
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

function open(timeoutMs = 10_000): Transport {
  const transport = testTransport({ timeoutMs, caFile, proxyCaFile: caFile });
  closing.push(transport);
  return transport;
}

describe.each(['http', 'https', 'h2'] as const)('over %s', (protocol) => {
  test.each([0, 1, 65_536, 1_000_001])('sends a body of %d bytes and reports its progress', async (size) => {
    const body = Buffer.alloc(size, 'x').fill('end', Math.max(0, size - 3));
    let received = Buffer.alloc(0);
    let length: string | undefined;
    const server = await serve((request, response) => {
      length = request.headers['content-length'];
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received = Buffer.concat(chunks);
        response.end('{}');
      });
    }, protocol);
    const progress: number[] = [];
    const response = await open().send({
      url: server.url,
      method: 'PUT',
      headers: {},
      body,
      maxBytes: 100,
      onSent: (sent, total) => {
        expect(total).toBe(size);
        progress.push(sent);
      },
    });
    expect(response.body.toString()).toBe('{}');
    expect(received.equals(body)).toBe(true);
    expect(length ?? '0').toBe(String(size));
    expect(progress.at(-1) ?? 0).toBe(size);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  test('returns a response that arrives before the body was read', async () => {
    const server = await serve((_request, response) => {
      response.statusCode = 413;
      response.end('too large');
    }, protocol);
    const answer = await open().send({
      url: server.url,
      method: 'PUT',
      headers: {},
      body: Buffer.alloc(300_000),
      maxBytes: 100,
    });
    expect(answer.status).toBe(413);
    expect(answer.body.toString()).toBe('too large');
  });

  test('closes a body of which the server does not want the rest', async () => {
    const server = await serve((_request, response) => {
      response.statusCode = 413;
      response.end();
    }, protocol);
    let isClosed = false;
    const body = {
      length: 100_000_000,
      async *chunks() {
        try {
          for (let i = 0; i < 100; i += 1) yield Promise.resolve(Buffer.alloc(1_000_000));
        } finally {
          isClosed = true;
        }
      },
    };
    const request = { url: server.url, method: 'PUT', headers: {}, body, maxBytes: 100 } as const;
    // The response, or the error of a connection that the server closed before.
    await open()
      .send(request)
      .catch(() => {});
    await expect.poll(() => isClosed).toBe(true);
  });

  test('allows an upload to exceed the timeout while it makes progress', async () => {
    const server = await serve((request, response) => {
      let unread = 0;
      request.on('data', (chunk: Buffer) => {
        unread += chunk.length;
        if (unread < 1_000_000) return;
        unread = 0;
        request.pause();
        setTimeout(() => request.resume(), 100);
      });
      request.on('end', () => response.end('{}'));
    }, protocol);
    const response = await open(1500).send({
      url: server.url,
      method: 'PUT',
      headers: {},
      body: Buffer.alloc(30_000_000),
      maxBytes: 100,
      onSent: () => {},
    });
    expect(response.status).toBe(200);
  }, 120_000);

  test('aborts an upload that makes no progress', async () => {
    const server = await serve((request) => void request.pause(), protocol);
    const sending = open(300).send({
      url: server.url,
      method: 'PUT',
      headers: {},
      body: Buffer.alloc(30_000_000),
      maxBytes: 100,
    });
    await expect(sending).rejects.toThrow(CurlError);
    await expect(sending).rejects.toThrow('transfer too slow');
  });
});
