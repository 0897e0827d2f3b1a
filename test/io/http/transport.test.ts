import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:http2';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { headerValue } from '../../../src/io/http/message.ts';
import type { Transport, TransportOptions } from '../../../src/io/http/transport.ts';
import { listen } from '../../helpers/listen.ts';
import { testTransport } from '../../helpers/test-transport.ts';
import { AUTHORITY } from './certificates.ts';
import { type Answer, startTestServer, type TestServer } from './test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'http-'));
const caFile = join(folder, 'ca.pem');
writeFileSync(caFile, AUTHORITY);
afterAll(() => rmSync(folder, { recursive: true }));

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of closing.splice(0).toReversed()) await item.close();
});

async function serve(answer: Answer, protocol: 'http' | 'https' | 'h2' = 'http'): Promise<TestServer> {
  const server = await startTestServer(answer, protocol);
  closing.push(server);
  return server;
}

function open(options: Partial<TransportOptions> = {}): Transport {
  const transport = testTransport({ caFile, proxyCaFile: caFile, ...options });
  closing.push(transport);
  return transport;
}

const get = (url: string, headers: Record<string, string> = {}) => ({ url, headers, maxBytes: 1_000_000 });

describe.each(['http', 'https', 'h2'] as const)('over %s', (protocol) => {
  test('streams a body part by part, as fast as the receiver accepts it', { timeout: 20_000 }, async () => {
    const size = 16 * 1024 * 1024;
    let isSent = false;
    const server = await serve((_, response) => {
      response.end(Buffer.alloc(size, 7), () => {
        isSent = true;
      });
    }, protocol);
    let received = 0;
    let begun = 0;
    let running = 0;
    const wasSent: boolean[] = [];
    const response = await open().send({
      ...get(server.url),
      maxBytes: size,
      receive: () => {
        begun += 1;
        return async (part) => {
          expect((running += 1)).toBe(1);
          if (received === 0) await sleep(300);
          if (wasSent.length === 0) wasSent.push(isSent);
          received += part.length;
          await sleep(0);
          running -= 1;
        };
      },
    });
    expect([begun, received, wasSent, response.body.length]).toEqual([1, size, [false], 0]);
    expect(response.transferredBytes).toBe(size);
  });

  test('waits for slow parts without blocking the event loop', async () => {
    const server = await serve((_, response) => {
      response.setHeader('content-length', '20');
      let left = 5;
      const timer = setInterval(() => {
        response.write('part');
        left -= 1;
        if (left > 0) return;
        clearInterval(timer);
        response.end();
      }, 20);
    }, protocol);
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    const parts: string[] = [];
    // Each part is accepted at once, so the next read of the connection finds no data yet.
    const receive = () => (part: Uint8Array) => {
      parts.push(Buffer.from(part).toString());
      if (parts.length > 1_000) throw new Error('nothing came, again and again');
      return Promise.resolve();
    };
    await open().send({ ...get(server.url), receive });
    clearInterval(timer);
    expect([parts.join(''), parts.includes(''), ticks > 3]).toEqual(['part'.repeat(5), false, true]);
  });

  test('streams no encoded bodies or error responses, and keeps little of the latter', async () => {
    const server = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      if (request.url === '/404') response.statusCode = 404;
      else response.setHeader('content-encoding', 'gzip');
      response.end(request.url === '/404' ? Buffer.alloc(300_000, 'n') : gzipSync('yes'));
    }, protocol);
    const receive = (): never => expect.unreachable();
    const other = await open().send({ ...get(`${server.url}/404`), receive });
    expect([other.status, other.body.length <= 65_536, other.body.subarray(0, 2).toString()]).toEqual([
      404,
      true,
      'nn',
    ]);
    await expect(open().send({ ...get(server.url), receive })).rejects.toMatchObject({ curlCode: 61 });
  });

  test('streams a body from its start again after a lost connection', async () => {
    let requests = 0;
    const server = await serve((_, response) => {
      requests += 1;
      if (requests > 1) return void response.end('whole');
      response.setHeader('content-length', '5');
      response.write('who');
      setTimeout(() => response.destroy(), 30);
    }, protocol);
    const bodies: string[] = [];
    const receive = () => {
      const at = bodies.push('') - 1;
      return async (part: Uint8Array) => void (bodies[at] += Buffer.from(part).toString());
    };
    const transport = open();
    await expect(transport.send({ ...get(server.url), receive })).rejects.toMatchObject({ isSpurious: true });
    await transport.send({ ...get(server.url), receive });
    expect(bodies).toEqual(['who', 'whole']);
  });

  test('sends a request and returns the response', async () => {
    const seen: Record<string, unknown>[] = [];
    const server = await serve((request, response) => {
      seen.push({ version: request.httpVersion, url: request.url, ...request.headers });
      response.setHeader('X-Test', 'yes');
      response.end('body');
    }, protocol);
    const response = await open().send(get(`${server.url}/a/b?c#d`, { accept: 'text/plain' }));
    expect(response).toMatchObject({
      status: 200,
      url: `${server.url}/a/b?c#d`,
      ip: '127.0.0.1',
      transferredBytes: 4,
    });
    expect(response.body.toString()).toBe('body');
    expect(headerValue(response, 'x-test')).toBe('yes');
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      version: protocol === 'h2' ? '2.0' : '1.1',
      url: '/a/b?c',
      'user-agent': 'test',
      'accept-encoding': 'deflate, gzip',
      accept: 'text/plain',
    });
  });

  test('accepts a response head with 20 kilobytes of cookies', async () => {
    const cookies = Array.from({ length: 100 }, (_, index) => `c${index}=${'x'.repeat(200)}`);
    const server = await serve((_, response) => {
      response.writeHead(200, { 'set-cookie': cookies }).end('body');
    }, protocol);
    const { status, body } = await open().send(get(server.url));
    expect({ status, body: String(body) }).toEqual({ status: 200, body: 'body' });
  });

  test('uses few connections for many concurrent requests', async () => {
    const server = await serve((request, response) => {
      setTimeout(() => response.end(request.url), 5);
    }, protocol);
    const transport = open();
    const urls = Array.from({ length: 200 }, (_, i) => `/${i}`);
    const bodies = await Promise.all(
      urls.map(async (url) => (await transport.send(get(server.url + url))).body.toString()),
    );
    expect(bodies).toEqual(urls);
    expect(server.connections.made).toBeLessThanOrEqual({ http: 6, https: 7, h2: 1 }[protocol]);
    if (protocol !== 'h2') expect(server.connections.mostOpen).toBeGreaterThan(2);
  });

  test('returns responses without a body and with an error status', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/304+') response.setHeader('content-length', 100);
      response.writeHead(request.url?.startsWith('/304') === true ? 304 : 404);
      response.end();
    }, protocol);
    const transport = open();
    expect((await transport.send(get(`${server.url}/304`))).status).toBe(304);
    // A 304 may have the `Content-Length` that a 200 would have.
    expect((await transport.send(get(`${server.url}/304+`))).status).toBe(304);
    const missing = await transport.send(get(`${server.url}/404`));
    expect([missing.status, missing.body.length]).toEqual([404, 0]);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', (text: Buffer) => text],
  ] as const)('decodes %s', async (encoding, encode) => {
    const server = await serve((_, response) => {
      response.setHeader('content-encoding', encoding);
      response.end(encode(Buffer.from('text '.repeat(100))));
    }, protocol);
    expect((await open().send(get(server.url))).body.toString()).toBe('text '.repeat(100));
  });

  test('aborts a body over the limit, whether announced, streamed or compressed', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/packed') {
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync(Buffer.alloc(2_000_000)));
        return;
      }
      if (request.url === '/announced') response.setHeader('content-length', 2_000_000);
      const timer = setInterval(() => response.write(Buffer.alloc(100_000)), 1);
      response.on('close', () => clearInterval(timer));
    }, protocol);
    const transport = open();
    for (const path of ['/announced', '/streamed', '/packed']) {
      await expect(transport.send(get(server.url + path))).rejects.toThrow('[63] Maximum file size exceeded');
    }
  });

  test('reports a connection that is lost within a body as a partial file', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/length') response.setHeader('content-length', 100);
      response.write('abc');
      setTimeout(() => server.cut(), 20);
    }, protocol);
    const transport = open();
    // A server with unread data resets the connection. Only HTTP/2 servers may have unread data here.
    const reset = protocol === 'h2' ? '|56\\] Failure .*Connection reset by peer' : '';
    const missing = '18\\] .*\\(end of response with 97 bytes missing';
    const rejected = (pattern: string): RegExp => new RegExp(`^\\[(?:${pattern}${reset})\\)$`);
    await expect(transport.send(get(`${server.url}/length`))).rejects.toThrow(rejected(missing));
    const chunked = '18\\] .*\\(transfer closed with outstanding read data remaining';
    await expect(transport.send(get(`${server.url}/chunked`))).rejects.toThrow(rejected(chunked));
  });

  test('times out if the server sends nothing', async () => {
    const server = await serve(() => {}, protocol);
    const started = performance.now();
    await expect(open({ timeoutMs: 300 }).send(get(server.url))).rejects.toThrow(
      'transfer too slow: failed to transfer more than 10 bytes in',
    );
    await expect(open({ timeoutMs: 300 }).send(get(server.url), { isOnce: true })).rejects.toThrow(
      '[28] Timeout was reached (Operation too slow. Less than 10 bytes/sec transferred the last',
    );
    expect(performance.now() - started).toBeLessThan(3000);
  });

  test('rejects current and later requests when the signal is aborted', async () => {
    const server = await serve(() => {}, protocol);
    const controller = new AbortController();
    const transport = open({ signal: controller.signal });
    const waiting = [transport.send(get(server.url)), transport.send(get(server.url))];
    setTimeout(() => controller.abort(new Error('stop')), 50);
    for (const request of waiting) await expect(request).rejects.toThrow('stop');
    await expect(transport.send(get(server.url))).rejects.toThrow('stop');
  });

  test('follows redirects, and sends no tokens to other servers', async () => {
    const tokens: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      tokens.push(request.headers.authorization);
      response.end('other');
    }, protocol);
    const server = await serve((request, response) => {
      tokens.push(request.headers.authorization);
      response.writeHead(302, { location: request.url === '/first' ? 'second' : `${other.url}/x` });
      response.end();
    }, protocol);
    const response = await open().send(get(`${server.url}/first`, { Authorization: 'secret' }));
    expect(response.body.toString()).toBe('other');
    expect(response.url).toBe(`${other.url}/x`);
    expect(tokens).toEqual(['secret', 'secret', undefined]);
  });

  test.each([
    ['ftp://x/y', '[1] Unsupported protocol (Protocol "ftp" is disabled (in redirect))'],
    [
      'foo://x/y',
      '[1] Unsupported protocol (The redirect target URL could not be parsed: Unsupported URL scheme)',
    ],
    [
      'http://',
      '[3] URL using bad/illegal format or missing URL (The redirect target URL could not be parsed: No host part in the URL)',
    ],
    [
      'http://a b/',
      '[3] URL using bad/illegal format or missing URL (The redirect target URL could not be parsed: Bad hostname)',
    ],
  ])('refuses a redirect to %s with the message of curl', async (location, message) => {
    const server = await serve((_, response) => response.writeHead(302, { location }).end());
    await expect(open().send(get(server.url))).rejects.toThrow(message);
  });

  test('stops after 30 redirects', async () => {
    const server = await serve((_, response) => {
      response.writeHead(301, { location: '/' });
      response.end();
    }, protocol);
    await expect(open().send(get(server.url))).rejects.toThrow(
      '[47] Number of redirects hit maximum amount (Maximum (30) redirects followed)',
    );
  });
});

describe('the messages of curl', () => {
  test('report a refused connection', async () => {
    const server = await serve(() => {});
    await server.close();
    await expect(open().send(get(server.url))).rejects.toThrow(
      new RegExp(
        `^\\[7\\] Could not connect to server \\(Failed to connect to 127.0.0.1:${server.port} after \\d+ ms: Could not connect to server\\)$`,
      ),
    );
  });

  test('report a host that does not exist', async () => {
    await expect(open().send(get('http://nosuch.invalid/'))).rejects.toThrow(
      '[6] Could not resolve hostname (Could not resolve host: nosuch.invalid)',
    );
  });

  test('report an unknown certificate authority', async () => {
    const server = await serve((_, response) => response.end(), 'h2');
    await expect(open({ caFile: null }).send(get(server.url))).rejects.toThrow(
      '[60] SSL peer certificate or SSH remote key was not OK (SSL certificate OpenSSL verify result: unable to get local issuer certificate (20))',
    );
  });

  test('report a missing file of certificate authorities', async () => {
    const server = await serve((_, response) => response.end(), 'h2');
    await expect(open({ caFile: join(folder, 'none') }).send(get(server.url))).rejects.toThrow(
      '[77] Problem with the SSL CA cert',
    );
  });

  test('report a server without TLS', async () => {
    const server = await serve((_, response) => response.end());
    await expect(open().send(get(server.url.replace('http', 'https')))).rejects.toThrow(
      '[35] SSL connect error (TLS connect error: error:0A00010B:SSL routines::wrong version number)',
    );
  });

  test('report an unsupported protocol', async () => {
    await expect(open().send(get('ftp://127.0.0.1/'))).rejects.toThrow(
      '[1] Unsupported protocol (Protocol "ftp" is disabled)',
    );
  });

  test('report an empty response and an invalid one', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        if (data.toString().startsWith('GET /nonsense')) socket.end('NONSENSE\r\n\r\n');
        else socket.end();
      });
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    closing.push({ close: async () => void server.close() });
    await expect(open().send(get(`${url}/silent`))).rejects.toThrow(
      '[52] Server returned nothing (no headers, no data) (Empty reply from server)',
    );
    await expect(open().send(get(`${url}/nonsense`))).rejects.toThrow(
      '[1] Unsupported protocol (Received HTTP/0.9 when not allowed)',
    );
  });

  test('report a body that does not have the stated encoding', async () => {
    const server = await serve((_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end('not gzip at all');
    });
    await expect(open().send(get(server.url))).rejects.toThrow(
      '[61] Unrecognized or bad HTTP Content or Transfer-Encoding (Error while processing content unencoding: incorrect header check)',
    );
  });

  test('report a download that stops and one that is too slow', async () => {
    const server = await serve((request, response) => {
      response.writeHead(200);
      if (request.url === '/stop') return void response.write('a');
      const timer = setInterval(() => response.write('a'), 50);
      response.on('close', () => clearInterval(timer));
    });
    const transport = open({ timeoutMs: 1000, lowSpeedLimit: 1000 });
    await Promise.all([
      expect(transport.send(get(`${server.url}/stop`))).rejects.toThrow(
        'transfer too slow: failed to transfer more than 1000 bytes in 1s (transferred 1 bytes)',
      ),
      expect(transport.send(get(`${server.url}/trickle`))).rejects.toThrow(
        /^transfer too slow: failed to transfer more than 1000 bytes in 1s \(transferred \d+ bytes\)$/,
      ),
    ]);
  });
});

test('a request succeeds although the server closed the kept connection', async () => {
  let isFirst = true;
  const server = await serve((request, response) => {
    if (!isFirst && request.socket.bytesRead > 0 && request.url === '/gone') {
      isFirst = true;
      return void request.socket.destroy();
    }
    isFirst = false;
    response.end(request.url);
  });
  const transport = open();
  await transport.send(get(`${server.url}/first`));
  expect((await transport.send(get(`${server.url}/gone`))).body.toString()).toBe('/gone');
});

test('a request succeeds even if the server closes every earlier connection', async () => {
  const used = new Set<net.Socket>();
  const server = await serve((request, response) => {
    if (used.has(request.socket)) return void request.socket.destroy();
    used.add(request.socket);
    setTimeout(() => response.end('ok'), 20);
  });
  const transport = open();
  await Promise.all(Array.from({ length: 6 }, () => transport.send(get(server.url))));
  expect(used.size).toBe(6);
  expect((await transport.send(get(server.url))).body.toString()).toBe('ok');
});

test('a response never consists of data that came before its request', async () => {
  let markSent = (): void => {};
  const wasSent = new Promise<void>((resolve) => {
    markSent = resolve;
  });
  const server = await serve((request, response) => {
    response.end(request.url);
    setTimeout(() => {
      request.socket.end('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      markSent();
    }, 20);
  });
  const transport = open();
  await transport.send(get(`${server.url}/first`));
  await wasSent;
  const response = await transport.send(get(`${server.url}/second`));
  expect([response.status, response.body.toString()]).toEqual([200, '/second']);
});

describe('a response that only a lenient parser accepts', () => {
  /** Starts a server that responds with `responseTo`, and counts its connections and requests. */
  async function startLoose(responseTo: (path: string) => string) {
    const counts = { connections: 0, requests: 0, open: 0, mostOpen: 0 };
    const server = net.createServer((socket) => {
      counts.connections += 1;
      counts.open += 1;
      counts.mostOpen = Math.max(counts.mostOpen, counts.open);
      socket.on('error', () => {}).on('close', () => (counts.open -= 1));
      socket.on('data', (data) => {
        counts.requests += 1;
        socket.write(responseTo(/ (\S+) /.exec(data.toString())?.[1] ?? ''));
      });
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    closing.push({ close: async () => void server.close() });
    return { url, counts };
  }

  test.each([
    ['lines that end in LF', 'HTTP/1.1 200 OK\nA: b\nContent-Length: 2\n\nok'],
    ['an empty line that ends in LF', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\nok'],
    ['a control character', 'HTTP/1.1 200 OK\r\nA: \u0001\r\nContent-Length: 2\r\n\r\nok'],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
  ])('is accepted, with a new connection for each request: %s', async (_, response) => {
    const { url, counts } = await startLoose(() => response);
    const transport = open();
    for (let i = 0; i < 3; i += 1) expect((await transport.send(get(url))).body.toString()).toBe('ok');
    expect(counts).toMatchObject({ connections: 4, requests: 4 });
  });

  test('is accepted for many requests at a time, on few connections', async () => {
    const { url, counts } = await startLoose((path) => `HTTP/1.1 200 OK\nContent-Length: 4\n\n${path}`);
    const transport = open();
    const paths = Array.from({ length: 50 }, (_, i) => `/${i + 100}`);
    const responses = await Promise.all(paths.map((path) => transport.send(get(url + path))));
    expect(responses.map(({ body }) => body.toString())).toEqual(paths);
    // Six for each of the two parsers.
    expect(counts.mostOpen).toBeLessThanOrEqual(12);
  });

  test.each([
    ['HTTP/1.2 200 OK\r\n\r\n', '[1] Unsupported protocol (Unsupported HTTP/1 subversion in response)'],
    ['HTTP/1.1 200 OK\r\nA: b\rC: d\r\n\r\n', '[8] Weird server reply (Carriage return found in header)'],
    ['HTTP/1.1 200 OK\r\nNo colon\r\n\r\n', '[8] Weird server reply (Header without colon)'],
  ])('is refused if curl refuses it too: %j', async (response, message) => {
    const { url } = await startLoose(() => response);
    await expect(open().send(get(url))).rejects.toThrow(message);
  });
});

test('no request is lost if an HTTP/2 server closes the session', async () => {
  let count = 0;
  const server = await serve((request, response) => {
    count += 1;
    const session = (request as unknown as { stream: { session: { goaway(): void; close(): void } } }).stream
      .session;
    setTimeout(() => {
      response.end('ok');
      if (count === 10) session.close();
    }, 10);
  }, 'h2');
  const transport = open();
  const wave = () =>
    Promise.all(Array.from({ length: 10 }, async () => (await transport.send(get(server.url))).status));
  expect(await wave()).toEqual(Array.from({ length: 10 }, () => 200));
  await sleep(50);
  expect(await wave()).toEqual(Array.from({ length: 10 }, () => 200));
});

/** Starts an HTTP/2 server that resets requests beyond `mostAtOnce`, as Node does when its memory is used up. */
async function serveCalmly(
  mostAtOnce: number,
): Promise<{ readonly url: string; readonly refused: string[] }> {
  let open = 0;
  const refused: string[] = [];
  const { url } = await serve((request, response) => {
    const { stream } = request as unknown as { stream: { close(code: number): void } };
    if (open >= mostAtOnce) {
      refused.push(request.url ?? '');
      stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    open += 1;
    setTimeout(() => {
      open -= 1;
      response.end(request.url);
    }, 5);
  }, 'h2');
  return { url, refused };
}

test('all requests succeed on an HTTP/2 server that allows few at a time, which then gets fewer', async () => {
  const server = await serveCalmly(12);
  const transport = open();
  const paths = Array.from({ length: 200 }, (_, index) => `/${index}`);
  const wave = () =>
    Promise.all(paths.map(async (path) => (await transport.send(get(server.url + path))).body.toString()));
  expect(await wave()).toEqual(paths);
  const before = server.refused.length;
  expect(before).toBeGreaterThan(0);
  expect(await wave()).toEqual(paths);
  expect(server.refused.length - before).toBeLessThan(paths.length / 2);
});

test('requests fail after few attempts if an HTTP/2 server resets all of them', async () => {
  const server = await serveCalmly(0);
  const transport = open();
  const send = () => transport.send(get(server.url));
  const answers = await Promise.allSettled([send(), send(), send()]);
  for (const answer of answers) {
    expect(answer.status === 'rejected' && String(answer.reason)).toContain(
      'HTTP/2 stream was not closed cleanly: ENHANCE_YOUR_CALM (err 11)',
    );
  }
  expect(server.refused.length).toBeLessThan(12);
});

test('a PUT request that an HTTP/2 server resets is not sent again', async () => {
  const server = await serveCalmly(1);
  const transport = open();
  const put = { ...get(server.url), method: 'PUT' as const };
  const answers = await Promise.allSettled([transport.send(put), transport.send(put)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(server.refused).toHaveLength(1);
});

test.each([false, true])('an abort ends an attempt to connect at once; isOnce: %s', async (isOnce) => {
  const silent = net.createServer((socket) => socket.on('error', () => {}).resume());
  const port = await listen(silent);
  const controller = new AbortController();
  const transport = testTransport({ signal: controller.signal });
  const started = performance.now();
  setTimeout(() => controller.abort(new Error('stop')), 50);
  await expect(transport.send(get(`https://127.0.0.1:${port}`), { isOnce })).rejects.toThrow('stop');
  await transport.close();
  expect(performance.now() - started).toBeLessThan(5000);
  await new Promise((resolve) => silent.close(resolve));
});

test('requests use HTTP/1.1 if multiplexing is off', async () => {
  const server = await serve((request, response) => response.end(request.httpVersion), 'h2');
  expect((await open({ multiplexing: false }).send(get(server.url))).body.toString()).toBe('1.1');
});

test('requests succeed with limited TLS versions, and an unknown version is refused', async () => {
  const server = await serve((_, response) => response.end('ok'), 'h2');
  expect((await open({ sslVersion: 'tlsv1.3' }).send(get(server.url))).status).toBe(200);
  expect((await open({ sslVersion: { min: null, max: 'tlsv1.2' } }).send(get(server.url))).status).toBe(200);
  for (const sslVersion of ['ssl3', 'constructor'])
    expect(() => open({ sslVersion })).toThrow(
      `Invalid ssl version \`${sslVersion}\`,choose from 'default', 'tlsv1', 'tlsv1.0', 'tlsv1.1', 'tlsv1.2', 'tlsv1.3'.`,
    );
});

test('requests fail without a connection if offline', async () => {
  const server = await serve((_, response) => response.end());
  await expect(open({ offlineFlag: '--offline' }).send(get(server.url))).rejects.toThrow(
    'attempting to make an HTTP request, but --offline was specified',
  );
  expect(server.connections.made).toBe(0);
});

describe('proxies', () => {
  /** Starts a proxy that forwards unencrypted requests, opens tunnels and records the request lines. */
  async function startProxy(user: string | null = null) {
    const asked: string[] = [];
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        const text = data.toString();
        asked.push(text.slice(0, text.indexOf('\r\n')));
        const right =
          user === null ||
          text
            .toLowerCase()
            .includes(`proxy-authorization: basic ${Buffer.from(user).toString('base64')}`.toLowerCase());
        const target = /^(?:CONNECT |GET http:\/\/)([^: ]+):(\d+)/.exec(text);
        if (!right || target === null) return void socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n');
        const upstream = net.connect(Number(target[2]), target[1]);
        upstream.on('error', () => socket.destroy());
        if (text.startsWith('CONNECT')) socket.write('HTTP/1.1 200 OK\r\n\r\n');
        else upstream.write(text.replace(/^GET http:\/\/[^/]+/, 'GET '));
        upstream.pipe(socket);
        socket.pipe(upstream);
      });
    });
    const url = `127.0.0.1:${await listen(server)}`;
    closing.push({ close: async () => void server.close() });
    return { url, asked };
  }

  test('forward unencrypted requests', async () => {
    const server = await serve((request, response) => response.end(`${request.url} ${request.headers.host}`));
    const proxy = await startProxy();
    const response = await open({ proxy: `http://${proxy.url}` }).send(get(`${server.url}/x?y`));
    expect(response.body.toString()).toBe(`/x?y 127.0.0.1:${server.port}`);
    expect(proxy.asked).toEqual([`GET ${server.url}/x?y HTTP/1.1`]);
  });

  test('tunnel encrypted requests with HTTP/2', async () => {
    const server = await serve((request, response) => response.end(request.httpVersion), 'h2');
    const proxy = await startProxy('user:pa ss');
    const transport = open({ env: { https_proxy: `http://user:pa%20ss@${proxy.url}` } });
    expect((await transport.send(get(server.url))).body.toString()).toBe('2.0');
    expect(proxy.asked).toEqual([`CONNECT 127.0.0.1:${server.port} HTTP/1.1`]);
  });

  test('cause an error if they refuse a tunnel', async () => {
    const server = await serve((_, response) => response.end(), 'h2');
    const proxy = await startProxy('user:password');
    await expect(open({ proxy: proxy.url }).send(get(server.url))).rejects.toThrow(
      '(CONNECT tunnel failed, response 407)',
    );
  });

  test('cause an error if they are unknown, unreachable or of an unsupported kind', async () => {
    const failing = (proxy: string) => expect(open({ proxy }).send(get('http://127.0.0.1:9/'))).rejects;
    await failing('http://nosuch.invalid:99').toThrow(
      '[5] Could not resolve proxy name (Could not resolve proxy: nosuch.invalid)',
    );
    await failing('http://127.0.0.1:1').toThrow(
      '[7] Could not connect to server (Failed to connect to 127.0.0.1:1 over proxy 127.0.0.1 after',
    );
    await failing('socks5://127.0.0.1:1').toThrow('SOCKS proxies are not supported');
  });

  test("come from git's setting if cargo has none", async () => {
    const server = await serve((_, response) => response.end());
    const proxy = await startProxy();
    await open({ gitProxy: async () => `http://${proxy.url}` }).send(get(server.url));
    expect(proxy.asked).toHaveLength(1);
  });
});
