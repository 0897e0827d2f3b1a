import { afterEach, describe, expect, test } from 'vitest';
import { pauseAfter, getWithRetries } from '../../../src/io/http/retry.ts';
import { StatusError } from '../../../src/io/http/status-error.ts';
import type { Transport } from '../../../src/io/http/transport.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import { testTransport } from '../../helpers/test-transport.ts';
import { type Answer, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
let transport: Transport;
afterEach(async () => {
  await transport.close();
  await server.close();
});

/** Sends to a server that uses `answers` in turn and repeats the last one. */
async function ask(answers: readonly Answer[], retries = 3, maxWaitMs: number | null = null) {
  let count = 0;
  server = await startTestServer((request, response) => {
    answers[Math.min(count, answers.length - 1)]?.(request, response);
    count += 1;
  });
  const { context, lines } = recordingContext();
  transport = testTransport({ signal: context.signal });
  const options = {
    ...context,
    retries,
    maxWaitMs,
    fixedPauseMs: 1,
    accepts: (status: number) => status === 200,
  };
  const started = performance.now();
  const outcome = await getWithRetries(
    transport,
    { url: `${server.url}/x`, headers: {}, maxBytes: 10_000 },
    options,
  ).then(
    (response) => response.body.toString(),
    (error: unknown) => error,
  );
  return { outcome, lines, tries: count, ms: performance.now() - started };
}

const status =
  (code: number, headers: Record<string, string> = {}, body = 'oops'): Answer =>
  (_, response) => {
    response.writeHead(code, headers);
    response.end(body);
  };
const ok: Answer = (_, response) => response.end('fine');

describe('getWithRetries', () => {
  test('retries after server errors, with the warnings of cargo', async () => {
    const { outcome, lines, tries } = await ask([status(500, { 'x-cache': 'hidden here' }), status(503), ok]);
    expect(outcome).toBe('fine');
    expect(tries).toBe(3);
    const text = (left: string, code: number) =>
      `warning: spurious network error (${left} remaining): failed to get successful HTTP response from \`${server.url}/x\` (127.0.0.1), got ${code}\nbody:\noops`;
    expect(lines).toEqual([text('3 tries', 500), text('2 tries', 503)]);
  });

  test('fails after the last retry, with debug headers in the error', async () => {
    const { outcome, lines, tries } = await ask([status(500, { 'X-Amz-Cf-Id': 'abc', 'x-other': 'no' })], 1);
    expect(tries).toBe(2);
    expect(lines[0]).toContain('(1 try remaining)');
    expect(String(outcome)).toContain('got 500\ndebug headers:\nx-amz-cf-id: abc\nbody:\noops');
  });

  test('rejects with the reason of an abort during a pause', async () => {
    server = await startTestServer(status(500));
    const controller = new AbortController();
    const { context } = recordingContext(controller.signal);
    transport = testTransport({ signal: context.signal });
    const options = { ...context, retries: 1, fixedPauseMs: 60_000, accepts: () => false };
    setTimeout(() => controller.abort(new Error('stop')), 100);
    await expect(
      getWithRetries(transport, { url: server.url, headers: {}, maxBytes: 100 }, options),
    ).rejects.toThrow('stop');
  });

  test('does not retry a permanent error', async () => {
    const { outcome, tries } = await ask([status(403, {}, '')]);
    expect(tries).toBe(1);
    expect(outcome).toBeInstanceOf(StatusError);
    expect(String(outcome)).toMatch(/got 403\nbody:\n$/);
  });

  test('waits as long as the server asks', async () => {
    const { outcome, ms } = await ask([status(429, { 'retry-after': '1' }), ok]);
    expect(outcome).toBe('fine');
    expect(ms).toBeGreaterThan(950);
  });

  test('waits for a busy server in addition to its retries', async () => {
    const { outcome, lines, tries } = await ask(
      [status(429, { 'retry-after': '1' }), status(503), status(500), ok],
      1,
      10_000,
    );
    expect([outcome, tries]).toEqual(['fine', 4]);
    expect(lines).toEqual([
      expect.stringMatching(/^Waiting 1 second for the registry, until .* \(status 429\)$/),
      expect.stringMatching(/^Waiting 2 seconds for the registry, until .* \(status 503\)$/),
      expect.stringContaining('(1 try remaining)'),
    ]);
  });

  test('fails if a busy server asks for a longer wait than allowed', async () => {
    const { outcome, tries } = await ask([status(503, { 'retry-after': '7200' })], 3, 10_000);
    expect(tries).toBe(1);
    expect(String(outcome)).toContain(
      'the registry asks for a wait of 2 hours, but `--max-wait` leaves only 10 seconds',
    );
    expect(outcome).toMatchObject({ cause: { status: 503 } });
  });

  test('retries after a truncated response', async () => {
    const cut: Answer = (request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('abc');
      setTimeout(() => request.socket.destroy(), 5);
    };
    const { outcome, lines } = await ask([cut, ok]);
    expect(outcome).toBe('fine');
    expect(lines).toEqual([
      'warning: spurious network error (3 tries remaining): [18] Transferred a partial file (end of response with 97 bytes missing)',
    ]);
  });
});

describe('StatusError', () => {
  const response = (body: Buffer, headers: [string, string][] = []) => ({
    status: 503,
    statusLine: 'HTTP/1.1 503 Service Unavailable',
    earlier: [],
    headers,
    body,
    transferredBytes: 0,
    url: 'http://h/',
    ip: null,
  });

  test('shows the start of a long body, no control characters, and no binary', () => {
    expect(new StatusError(response(Buffer.from('é'.repeat(511)))).message).toMatch(/:\né{511}$/);
    expect(new StatusError(response(Buffer.from('é'.repeat(600)))).message).toMatch(/:\né{511}…$/);
    expect(new StatusError(response(Buffer.from('a\x1b[31mb\tc\n'))).message).toMatch(/:\nab\tc\n$/);
    expect(new StatusError(response(Buffer.from([0xff, 0xfe]))).message).toMatch(/:\n\[2 non-utf8 bytes\]$/);
  });

  test('shows the first value of each debug header, including headers of a redirect', () => {
    const head = {
      status: 302,
      statusLine: 'HTTP/1.1 302 Found',
      headers: [['X-Served-By', 'first'] as const],
    };
    const headers: [string, string][] = [
      ['X-Cache', ' a '],
      ['x-cache', 'b'],
      ['X-Served-By', 'second'],
      ['X-Amz-Id-2', '\xe9'],
    ];
    const { message } = new StatusError({ ...response(Buffer.from('x'), headers), earlier: [head] });
    expect(message).toContain('got 503\ndebug headers:\nx-served-by: first\nx-cache: a\nbody:\nx');
  });

  test.each([
    ['7', 7000],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 4000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', null],
    ['soon', null],
  ])('parses `Retry-After: %s`', (value, ms) => {
    expect(new StatusError(response(Buffer.alloc(0), [['Retry-After', value]])).retryAfterMs(1000)).toBe(ms);
  });
});

test('pauseAfter returns growing pauses of up to ten seconds', () => {
  const first = pauseAfter(1, null);
  expect(first).toBeGreaterThanOrEqual(500);
  expect(first).toBeLessThan(1500);
  expect([2, 3, 4, 5, 9].map((failures) => pauseAfter(failures, null))).toEqual([
    3500, 6500, 9500, 10_000, 10_000,
  ]);
});
