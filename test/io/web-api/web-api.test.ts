import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/io/http/transport.ts';
import { TsregError } from '../../../src/core/errors/error.ts';
import { ApiError } from '../../../src/io/web-api/api-error.ts';
import { type Caller, WebApi, type WebApiOptions } from '../../../src/io/web-api/web-api.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import {
  headerOf,
  type RecordingServer,
  startRecordingServer,
  type WireAnswer,
} from '../../helpers/recording-server.ts';
import { testTransport } from '../../helpers/test-transport.ts';

let server: RecordingServer;
let transport: Transport;
beforeAll(async () => {
  server = await startRecordingServer();
  transport = testTransport({ timeoutMs: 2000, userAgent: 'cargo/1.99.0' });
});
afterAll(async () => {
  await transport.close();
  await server.close();
});

const TOKEN = 'a-secret-token';
const documented: Caller = { kind: 'documented', userAgent: 'tsreg/1' };

function api(more: Partial<WebApiOptions> = {}): WebApi {
  return new WebApi({
    ...recordingContext().context,
    transport,
    host: server.url,
    token: { expose: () => TOKEN },
    isTokenRequired: false,
    caller: documented,
    maxWaitMs: null,
    ...more,
  });
}

const answering = (answer: WireAnswer): void => server.restart(() => answer);
const OK: WireAnswer = { body: '{"ok":true}' };

/** Every operation, with the request line and the body that it sends. */
const CALLS = [
  ['yank', (to: WebApi) => to.yank('a', '1.0.0+b'), 'DELETE /api/v1/crates/a/1.0.0+b/yank', ''],
  ['unyank', (to: WebApi) => to.unyank('a', '1.0.0'), 'PUT /api/v1/crates/a/1.0.0/unyank', ''],
  ['owners', (to: WebApi) => to.listOwners('a'), 'GET /api/v1/crates/a/owners', ''],
  [
    'add',
    (to: WebApi) => to.addOwners('a', ['x', 'y']),
    'PUT /api/v1/crates/a/owners',
    '{"users":["x","y"]}',
  ],
  [
    'remove',
    (to: WebApi) => to.removeOwners('a', ['x']),
    'DELETE /api/v1/crates/a/owners',
    '{"users":["x"]}',
  ],
  [
    'search',
    (to: WebApi) => to.search({ text: 'a b/é', perPage: 5, page: 2, sort: 'new' }),
    'GET /api/v1/crates?q=a%20b%2F%C3%A9&per_page=5&page=2&sort=new',
    '',
  ],
  [
    'publish',
    (to: WebApi) =>
      to.publish({ metadata: Buffer.from('{}'), archive: { length: 3, chunks: () => chunks('a', 'bc') } }),
    'PUT /api/v1/crates/new',
    '\x02\0\0\0{}\x03\0\0\0abc',
  ],
] as const;

// oxlint-disable-next-line require-await
async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const ANSWER = '{"ok":true,"msg":"m","users":[],"crates":[],"meta":{"total":0}}';

describe.each(CALLS)('%s', (name, call, line, body) => {
  test('sends the request and headers of the Cargo Book, with the token', async () => {
    answering({ body: ANSWER });
    await call(api());
    const [request, ...others] = server.requests;
    expect(others).toEqual([]);
    if (request === undefined) throw new Error('nothing was sent');
    expect(`${request.method} ${request.target}`).toBe(line);
    expect(request.body.toString('latin1')).toBe(body);
    expect(headerOf(request, 'content-type')).toBe('application/json');
    expect(headerOf(request, 'accept')).toBe('application/json');
    expect(headerOf(request, 'user-agent')).toBe('tsreg/1');
    expect(headerOf(request, 'authorization')).toBe(name === 'search' ? null : TOKEN);
    expect(headerOf(request, 'content-length')).toBe(
      body.length > 0 || name === 'unyank' ? String(body.length) : null,
    );
  });

  test('sends the headers of cargo for the caller `cargo`', async () => {
    answering({ body: ANSWER });
    await call(api({ caller: { kind: 'cargo' }, isTokenRequired: true }));
    const [request] = server.requests;
    if (request === undefined) throw new Error('nothing was sent');
    const bodyType = name === 'publish' ? 'application/octet-stream' : 'application/json';
    const hasBody = name === 'publish' || name === 'add' || name === 'remove';
    expect(headerOf(request, 'content-type')).toBe(hasBody ? bodyType : null);
    expect(headerOf(request, 'user-agent')).toBe('cargo/1.99.0');
    expect(headerOf(request, 'authorization')).toBe(TOKEN);
    const ordered = name === 'publish' ? ['content-type', 'accept'] : ['accept', 'content-type'];
    const names = request.headers.map(([header]) => header.toLowerCase());
    expect(names.filter((header) => ordered.includes(header))).toEqual(hasBody ? ordered : ['accept']);
  });

  test.each([
    ['1', 'the registry asks for a wait of 1 second; pass `--max-wait 1m` to wait that long'],
    ['61', 'the registry asks for a wait of 1 minute 1 second; pass `--max-wait 2m` to wait that long'],
    ['86400', 'the registry asks for a wait of 1 day'],
    [null, 'the registry is busy; pass `--max-wait 5m` to retry for five minutes'],
  ])('explains the wait in a hint if the registry asks for %j seconds', async (wanted, hint) => {
    const headers: (readonly [string, string])[] = wanted === null ? [] : [['Retry-After', wanted]];
    answering({ status: 429, headers });
    await expect(call(api())).rejects.toMatchObject({ hint });
  });

  test('is sent once for any error response', async () => {
    for (const answer of [{ status: 503 }, { status: 429 }, { raw: '' }, { status: 302 }]) {
      answering(answer as WireAnswer);
      await expect(call(api())).rejects.toBeInstanceOf(TsregError);
      expect(server.requests).toHaveLength(1);
    }
  });

  test.each([301, 302, 303, 307, 308])(
    'follows a redirect with status %d unless that would lose a body',
    async (status) => {
      server.restart(({ target }) =>
        target === '/moved' ? { body: ANSWER } : { status, headers: [['Location', '/moved']] },
      );
      const [first = ''] = line.split(' ');
      const calling = call(api({ isTokenRequired: true }));
      if (body !== '' && status !== 303) {
        await expect(calling).rejects.toThrow(
          '[65] Send failed since rewinding of the data stream failed (seek callback returned error 2)',
        );
        expect(server.requests).toHaveLength(1);
        return;
      }
      await calling;
      const [, moved] = server.requests;
      if (moved === undefined) throw new Error('the redirect was not followed');
      expect(moved.method).toBe(status === 303 && first === 'PUT' ? 'GET' : first);
      expect(moved.body).toHaveLength(0);
      expect(headerOf(moved, 'authorization')).toBe(TOKEN);
    },
  );
});

test('a redirect to another server is followed without the token', async () => {
  const other = await startRecordingServer();
  other.restart(() => OK);
  server.restart(() => ({ status: 307, headers: [['Location', `${other.url}/x`]] }));
  await api().yank('a', '1.0.0');
  const [request] = other.requests;
  if (request === undefined) throw new Error('the redirect was not followed');
  expect([request.method, headerOf(request, 'authorization')]).toEqual(['DELETE', null]);
  await other.close();
});

test('a yank sends its reason', async () => {
  answering(OK);
  await api().yank('a', '1.0.0', 'bad & worse');
  expect(server.requests[0]?.target).toBe('/api/v1/crates/a/1.0.0/yank?reason=bad%20%26%20worse');
});

test.each([
  ['', 'please provide a non-empty token'],
  ['a\r\nX: y', 'token contains invalid characters.'],
])('the invalid token %j is not sent', async (token, message) => {
  answering(OK);
  await expect(api({ token: { expose: () => token } }).yank('a', '1.0.0')).rejects.toThrow(message);
  expect(server.requests).toEqual([]);
});

describe('error responses', () => {
  async function failure(answer: WireAnswer, more: Partial<WebApiOptions> = {}): Promise<Error> {
    answering(answer);
    try {
      await api(more).yank('a', '1.0.0');
    } catch (error) {
      if (error instanceof Error) return error;
    }
    throw new Error('it was taken for a success');
  }

  test.each([
    [
      { body: '{"errors":[{"detail":"a"},{"detail":"b"}]}' },
      'the remote server responded with an error: a, b',
    ],
    [{ body: '{"errors":[]}' }, 'the remote server responded with an error: '],
    [
      { status: 404, body: '{"errors":[{"detail":"no crate"}],"more":1}' },
      'the remote server responded with an error (status 404 Not Found): no crate',
    ],
    [
      { status: 418, body: '{"errors":[{"detail":"tea"}]}' },
      "the remote server responded with an error (status 418 I'm a teapot): tea",
    ],
    [
      { status: 451, body: '{"errors":[{"detail":"law"}]}' },
      'the remote server responded with an error (status 451 Unavailable For Legal Reasons): law',
    ],
    [
      { status: 499, body: '{"errors":[{"detail":"no"}]}' },
      'the remote server responded with an error (status 499 <unknown status code>): no',
    ],
    [{ status: 204 }, 'EOF while parsing a value at line 1 column 0'],
    [{ body: '{}' }, 'missing field `ok` at line 1 column 2'],
    [{ body: '{"ok":1}' }, 'invalid type: integer `1`, expected a boolean at line 1 column 7'],
    [{ body: '{"ok":false}' }, 'the registry responded that it failed: `"ok": false`'],
    [{ body: Buffer.from([0x61, 0xff]) }, 'invalid response body from server'],
  ] satisfies [WireAnswer, string][])('cause an error: %j', async (answer, message) => {
    expect((await failure(answer)).message).toBe(message);
  });

  test('of another format are shown with all headers, grouped by name', async () => {
    const error = await failure({
      before: 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
      status: 500,
      reason: 'Strange',
      headers: [
        ['X-Foo', 'a'],
        ['X-A', '1'],
        ['x-foo', ' b '],
        ['Bad', '\xe9'],
        ['Empty', ''],
      ],
      body: 'oops\nmore',
    });
    expect(error.message).toBe(
      'failed to get a 200 OK response, got 500\nheaders:\n\tlink: </a>\n\tx-foo: a\n\tx-foo: b\n\tx-a: 1\n' +
        '\tempty: \n\tcontent-length: 9\nbody:\noops\nmore',
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 500, details: null, code: 'network' });
  });

  test('with status 401 or 403 have the code `auth`', async () => {
    expect(await failure({ status: 401 })).toMatchObject({ code: 'auth' });
    expect(await failure({ status: 403, body: '{"errors":[{"detail":"x"}]}' })).toMatchObject({
      code: 'auth',
      details: ['x'],
    });
  });

  test('are shown shortened, without control sequences and token', async () => {
    const text = `\x1b[31mred\x07 ${TOKEN} ${'x'.repeat(100_000)}`;
    const messages = [
      (await failure({ status: 500, headers: [['X', TOKEN]], body: text })).message,
      (await failure({ status: 500, body: JSON.stringify({ errors: [{ detail: text }] }) })).message,
    ];
    for (const message of messages) {
      expect(message).toContain('red REDACTED');
      expect(message).not.toContain(TOKEN);
      expect(message).not.toContain('\x1b');
      expect(message.length).toBeLessThan(10_000);
    }
  });

  test('are shown in full for the caller `cargo`, without control sequences and token', async () => {
    const { message } = await failure(
      { status: 500, body: `\x1b[31m${TOKEN}${'x'.repeat(10_000)}` },
      { caller: { kind: 'cargo' } },
    );
    expect(message).toContain(`\nREDACTED${'x'.repeat(10_000)}`);
  });

  test('of any format never count as a success', async () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
    const bodies = [
      '',
      '{',
      'null',
      '[]',
      '{"ok":false}',
      '{"ok":"true"}',
      '{"ok":true',
      '{"ok":true}}',
      '{"ok":true,"ok":true}',
      '<html>',
      '{"errors":[{"detail":"x"}]}',
      '{"ok":true,"errors":[]}',
      '\0\0\0',
      Buffer.from([0xff, 0xfe, 0]),
      '['.repeat(5000),
      '9'.repeat(3000),
      `"${'\\u0000'.repeat(500)}"`,
    ];
    for (let round = 0; round < 400; round += 1) {
      const answer: WireAnswer = {
        status: pick([
          200, 200, 201, 204, 299, 301, 304, 400, 401, 403, 404, 405, 409, 429, 500, 503, 599, 999,
        ]),
        headers: pick([
          [],
          [['Content-Encoding', 'gzip']],
          [['X', '\xff\x00'.slice(0, 1)]],
          [['Content-Length', '99999999999']],
          [['Content-Length', '-1']],
          [['Transfer-Encoding', 'chunked']],
          [['Location', 'http://127.0.0.1:1/']],
          [['Retry-After', 'x']],
        ]) as [string, string][],
        body: pick(bodies),
        close: true,
        ...(random(4) === 0 ? { cut: random(60) } : {}),
      };
      const error = await failure(answer);
      expect(error, JSON.stringify(answer)).toBeInstanceOf(TsregError);
    }
  }, 60_000);
});

describe('owner changes', () => {
  test('need no message of the registry, except for the caller `cargo`', async () => {
    answering(OK);
    expect(await api().addOwners('a', ['x'])).toBeNull();
    await api().removeOwners('a', ['x']);
    const cargo = api({ caller: { kind: 'cargo' } });
    await expect(cargo.addOwners('a', ['x'])).rejects.toThrow('missing field `msg` at line 1 column 11');
    await expect(cargo.removeOwners('a', ['x'])).rejects.toThrow('missing field `msg` at line 1 column 11');
  });
});

describe('messages of the registry', () => {
  test('hide the token in an error', async () => {
    answering({ status: 429, body: JSON.stringify({ errors: [{ detail: `no ${TOKEN}` }] }) });
    const refusal = await api()
      .listOwners('a')
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ details: ['no REDACTED'] });
  });

  test('hide the token in a success', async () => {
    answering({ body: JSON.stringify({ ok: true, msg: `welcome ${TOKEN}` }) });
    expect(await api().addOwners('a', ['x'])).toBe('welcome REDACTED');
    const warnings = { invalid_categories: [TOKEN], invalid_badges: [`b ${TOKEN}`], other: [`c ${TOKEN}`] };
    answering({ body: JSON.stringify({ warnings }) });
    const archive = { length: 0, async *chunks() {} };
    expect(await api().publish({ metadata: Buffer.from('{}'), archive })).toEqual({
      invalidCategories: ['REDACTED'],
      invalidBadges: ['b REDACTED'],
      other: ['c REDACTED'],
    });
  });
});

describe('a response with a wrong type', () => {
  test('causes an error that hides the token', async () => {
    answering({ body: JSON.stringify({ ok: TOKEN }) });
    await expect(api().yank('a', '1.0.0')).rejects.toThrow('invalid type: string "REDACTED"');
    answering({ body: JSON.stringify({ users: TOKEN }) });
    await expect(api().listOwners('a')).rejects.toThrow('invalid type: string "REDACTED"');
  });
});

describe('publishing', () => {
  const archive = (
    length: number,
    sent = length,
  ): { length: number; chunks: () => AsyncGenerator<Uint8Array> } => ({
    length,
    // oxlint-disable-next-line require-await
    async *chunks() {
      for (let at = 0; at < sent; at += 100_000) yield Buffer.alloc(Math.min(100_000, sent - at), 'x');
    },
  });

  test('reports how many bytes were sent', async () => {
    answering({ body: '' });
    const told: number[] = [];
    const warnings = await api().publish(
      { metadata: Buffer.from('{}'), archive: archive(300_000) },
      {
        onProgress: (sent, total) => {
          expect(total).toBe(300_010);
          told.push(sent);
        },
      },
    );
    expect(told.length).toBeGreaterThan(3);
    expect(told.at(-1)).toBe(300_010);
    expect(warnings).toEqual({ invalidCategories: [], invalidBadges: [], other: [] });
    expect(server.requests[0]?.body.length).toBe(300_010);
    expect(headerOf(server.requests[0] ?? { headers: [] }, 'expect')).toBeNull();
  });

  test('sends a large body at once without TLS', async () => {
    answering({ body: '{"warnings":{"other":["w",1]}}' });
    const { other } = await api().publish({ metadata: Buffer.from('{}'), archive: archive(1_100_000) });
    expect(other).toEqual(['w']);
    expect(headerOf(server.requests[0] ?? { headers: [] }, 'expect')).toBeNull();
    expect(server.requests[0]?.body.length).toBe(1_100_010);
  });

  test('fails if fewer bytes are sent than announced', async () => {
    answering({ body: '' });
    const publishing = api().publish({ metadata: Buffer.from('{}'), archive: archive(1000, 999) });
    await expect(publishing).rejects.toThrow('1009 bytes were sent of 1010');
  });
});
