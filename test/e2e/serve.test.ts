import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frameBody, publishBody } from '../helpers/publish-body.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { TEST_DATABASE } from '../helpers/test-location.ts';
import { connect } from 'node:net';

// Checks the promises of the web API with the built program.

const temp = makeTempDir('serve');
/** The index of another registry that dependencies may use. */
const ELSEWHERE = 'https://elsewhere.example/index';
let registry: ServedRegistry;
let alice = '';
let bob = '';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
  readonly text: string;
  readonly bytes: Buffer;
}

interface Asked {
  readonly token?: string;
  readonly body?: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(method: string, path: string, { token, body, headers = {} }: Asked = {}): Promise<Answer> {
  const answer = await fetch(path.startsWith('http') ? path : `${registry.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(token === undefined ? {} : { authorization: token }), ...headers },
    ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const text = bytes.toString('utf8');
  let json: unknown = null;
  if (answer.headers.get('content-type')?.startsWith('application/json') === true) json = JSON.parse(text);
  return { status: answer.status, headers: answer.headers, json, text, bytes };
}

const publish = (body: Buffer, token = alice, query = ''): Promise<Answer> =>
  ask('PUT', `/api/v1/crates/new${query}`, { token, body });

/** Publishes a crate and expects success. Returns its archive. */
async function published(
  name: string,
  version = '1.0.0',
  more: Record<string, unknown> = {},
): Promise<Buffer> {
  const { bytes, archive } = publishBody({ name, version }, more);
  const { status, text } = await publish(bytes);
  expect(status, text).toBe(200);
  return archive;
}

function pathInIndex(name: string): string {
  return `/index/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}

async function linesOf(name: string): Promise<Record<string, unknown>[]> {
  const { text } = await ask('GET', pathInIndex(name));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
}

const refused = (detail: unknown): object => ({ errors: [{ detail }] });

beforeAll(async () => {
  registry = await serveRegistry(`${temp.path}/data`, ['--allow-dependency-registry', ELSEWHERE]);
  alice = await registry.token('alice');
  bob = await registry.token('bob');
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

describe('every request', () => {
  it('may omit the usual headers and send unusual ones', async () => {
    expect((await ask('GET', '/api/v1/crates')).status).toBe(200);
    const headers = { 'content-type': 'text/x-odd', accept: 'image/png', 'user-agent': '' };
    expect((await ask('GET', '/api/v1/crates', { headers })).status).toBe(200);
  });

  it('gets status 200 if it succeeds', async () => {
    await published('two-hundred');
    const users = JSON.stringify({ users: ['bob'] });
    for (const [method, path, body] of [
      ['DELETE', '/api/v1/crates/two-hundred/1.0.0/yank', undefined],
      ['PUT', '/api/v1/crates/two-hundred/1.0.0/unyank', undefined],
      ['GET', '/api/v1/crates/two-hundred/owners', undefined],
      ['PUT', '/api/v1/crates/two-hundred/owners', users],
      ['DELETE', '/api/v1/crates/two-hundred/owners', users],
      ['GET', '/api/v1/crates?q=two', undefined],
    ] as const) {
      const answer = await ask(method, path, { token: alice, ...(body === undefined ? {} : { body }) });
      expect([answer.status, path], answer.text).toEqual([200, path]);
    }
  });

  it('may have unknown query parameters and JSON fields', async () => {
    await published('unexpected', '1.0.0', { surprise: [1, { two: 3 }], vers_extra: null });
    const path = '/api/v1/crates/unexpected/owners?surprise=1';
    const body = JSON.stringify({ users: ['bob'], surprise: true });
    expect((await ask('PUT', path, { token: alice, body })).status).toBe(200);
    expect((await ask('GET', '/api/v1/crates?surprise=1&q=unexpected')).json).toMatchObject({
      meta: { total: 1 },
    });
    const yank = '/api/v1/crates/unexpected/1.0.0/yank?surprise=1';
    expect((await ask('DELETE', yank, { token: alice })).json).toEqual({ ok: true });
  });

  it('may omit JSON fields', async () => {
    const { archive } = publishBody({ name: 'sparing', version: '1.0.0' });
    const body = frameBody(JSON.stringify({ name: 'sparing', vers: '1.0.0' }), archive);
    expect((await publish(body)).status).toBe(200);
    expect(await linesOf('sparing')).toMatchObject([{ name: 'sparing', deps: [], features: {} }]);
  });

  it('gets an id that is also in the log, which does not contain the token', async () => {
    const id = (await ask('GET', '/api/v1/crates', { token: alice })).headers.get('x-request-id') ?? '';
    expect(id).toMatch(/^[\da-f-]{36}$/);
    await expect.poll(() => registry.log()).toContain(`"id":"${id}"`);
    expect(registry.log()).not.toContain(alice);
    for (const line of registry.log().trim().split('\n')) expect(() => void JSON.parse(line)).not.toThrow();
  });
});

describe('publish', () => {
  it('stores the archive and adds the version to the index', async () => {
    const { bytes: body, archive } = publishBody(
      {
        name: 'whole-way',
        version: '1.2.3',
        features: { default: ['extra'], extra: [] },
        rust_version: '1.70',
        extra: 'description = "all of it"\nlicense = "MIT"\nkeywords = ["one"]',
      },
      {
        description: 'all of it',
        keywords: ['one'],
        license: 'MIT',
        readme: '# Hello',
        readme_file: 'README.md',
      },
    );
    const sent = await publish(body);
    expect(sent.status, sent.text).toBe(200);
    const [line] = await linesOf('whole-way');
    expect(line).toEqual({
      name: 'whole-way',
      vers: '1.2.3',
      deps: [],
      cksum: createHash('sha256').update(archive).digest('hex'),
      features: { default: ['extra'], extra: [] },
      yanked: false,
      rust_version: '1.70',
      pubtime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      v: 1,
    });
    const { status, bytes } = await ask('GET', '/api/v1/crates/whole-way/1.2.3/download');
    expect([status, bytes.equals(archive)]).toEqual([200, true]);
  });

  it('returns warnings about invalid categories and badges', async () => {
    const { bytes } = publishBody(
      { name: 'warned', version: '1.0.0' },
      { categories: ['no-such-category'], badges: { 'no-such-badge': { a: 'b' } } },
    );
    const { status, json } = await publish(bytes);
    expect(status).toBe(200);
    expect(json).toEqual({
      warnings: {
        invalid_categories: ['no-such-category'],
        invalid_badges: ['no-such-badge'],
        other: expect.any(Array),
      },
    });
    expect(json).not.toHaveProperty('errors');
  });

  it('adds dependencies to the index with their names in the manifest and their real names', async () => {
    const { bytes } = publishBody({
      name: 'depends',
      version: '1.0.0',
      deps: [
        { name: 'renamed', package: 'whole-way', req: '^1', features: ['extra'], default: false },
        { name: 'warned', req: '1', kind: 'dev', target: 'cfg(unix)', optional: false },
        { name: 'sparing', req: '1', optional: true, registry: ELSEWHERE },
      ],
    });
    const answer = await publish(bytes);
    expect(answer.status, answer.text).toBe(200);
    const [line] = await linesOf('depends');
    expect(line?.['deps']).toEqual([
      expect.objectContaining({
        name: 'renamed',
        package: 'whole-way',
        req: '^1',
        features: ['extra'],
        default_features: false,
        kind: 'normal',
      }),
      expect.objectContaining({ name: 'warned', target: 'cfg(unix)', kind: 'dev' }),
      expect.objectContaining({
        name: 'sparing',
        optional: true,
        registry: ELSEWHERE,
      }),
    ]);
  });

  it('refuses an existing version with 409, even with other build metadata', async () => {
    await published('twice');
    const again = await publish(publishBody({ name: 'twice', version: '1.0.0' }).bytes);
    expect([again.status, again.json]).toEqual([409, refused(expect.stringContaining('1.0.0'))]);
    const build = await publish(publishBody({ name: 'twice', version: '1.0.0+build' }).bytes);
    expect(build.status).toBe(409);
  });

  it('accepts only one of several concurrent publishes of a version', async () => {
    const { bytes } = publishBody({ name: 'racing', version: '1.0.0' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => publish(bytes)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect(await linesOf('racing')).toHaveLength(1);
  });

  it('checks a version but stores nothing with dry_run=true', async () => {
    const { bytes } = publishBody({ name: 'dry-run', version: '1.0.0' });
    const answer = await publish(bytes, alice, '?dry_run=true');
    expect([answer.status, answer.json]).toEqual([200, { warnings: expect.any(Object) }]);
    expect((await ask('GET', pathInIndex('dry-run'))).status).toBe(404);
    const bad = publishBody({ name: 'dry-run', version: 'one' }).bytes;
    expect((await publish(bad, alice, '?dry_run=true')).status).toBe(400);
    await published('twice-dry');
    const again = publishBody({ name: 'twice-dry', version: '1.0.0' }).bytes;
    expect((await publish(again, alice, '?dry_run=true')).status).toBe(409);
    expect((await publish(bytes, alice, '?dry_run=false')).status).toBe(200);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a length alone', Buffer.from([9, 0, 0, 0])],
    ['a length beyond the body', Buffer.from([255, 255, 255, 255, 1])],
    ['JSON that is none', frameBody('{"name"', Buffer.from('x'))],
    ['an archive that is none', frameBody('{"name":"bad-archive","vers":"1.0.0"}', Buffer.from('x'))],
  ])('refuses %s', async (_, body) => {
    const { status, json } = await publish(body);
    expect([400, 413]).toContain(status);
    expect(json).toEqual(refused(expect.any(String)));
  });

  it('refuses a body that is too large with 413', async () => {
    const { status, json } = await publish(Buffer.alloc(66 * 1024 * 1024));
    expect([status, json]).toEqual([413, refused(expect.any(String))]);
  });

  it('reads the whole body before it refuses it, so that clients get the response', async () => {
    const { port } = new URL(registry.url);
    const socket = connect(Number(port), '127.0.0.1');
    const broken: Error[] = [];
    let answer = '';
    socket.on('error', (error) => broken.push(error)).on('data', (data) => (answer += data.toString()));
    const head =
      'PUT /api/v1/crates/new HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: wrong\r\nConnection: close\r\n';
    socket.write(`${head}Content-Length: 600000\r\n\r\n`);
    for (let part = 0; part < 6; part += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      socket.write(Buffer.alloc(100_000));
    }
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(broken).toEqual([]);
    socket.destroy();
  });
});

describe('yank and unyank', () => {
  it('set the field of the version in the index and return ok: true', async () => {
    await published('yanked', '1.0.0');
    await published('yanked', '1.1.0');
    const before = (await ask('GET', pathInIndex('yanked'))).headers.get('etag');
    const yank = await ask('DELETE', '/api/v1/crates/yanked/1.0.0/yank', { token: alice });
    expect([yank.status, yank.json]).toEqual([200, { ok: true }]);
    expect((await linesOf('yanked')).map((line) => line['yanked'])).toEqual([true, false]);
    expect((await ask('GET', pathInIndex('yanked'))).headers.get('etag')).not.toBe(before);
    const headers = { 'content-length': '0' };
    const unyank = await ask('PUT', '/api/v1/crates/yanked/1.0.0/unyank', { token: alice, headers });
    expect([unyank.status, unyank.json]).toEqual([200, { ok: true }]);
    expect((await linesOf('yanked')).map((line) => line['yanked'])).toEqual([false, false]);
  });

  it('can be repeated', async () => {
    for (const [method, action] of [
      ['DELETE', 'yank'],
      ['DELETE', 'yank'],
      ['PUT', 'unyank'],
      ['PUT', 'unyank'],
    ] as const) {
      const answer = await ask(method, `/api/v1/crates/yanked/1.0.0/${action}`, { token: alice });
      expect(answer.json).toEqual({ ok: true });
    }
  });

  it('leave a yanked version available for download', async () => {
    await ask('DELETE', '/api/v1/crates/yanked/1.1.0/yank?reason=broken%20build', { token: alice });
    expect((await ask('GET', '/api/v1/crates/yanked/1.1.0/download')).status).toBe(200);
  });

  it('return 404 for an unknown crate or version', async () => {
    const crate = await ask('DELETE', '/api/v1/crates/no-such-crate/1.0.0/yank', { token: alice });
    expect([crate.status, crate.json]).toEqual([404, refused('crate `no-such-crate` does not exist')]);
    const version = await ask('PUT', '/api/v1/crates/yanked/9.9.9/unyank', { token: alice });
    expect([version.status, version.json]).toEqual([
      404,
      refused('crate `yanked` does not have a version `9.9.9`'),
    ]);
  });
});

describe('owners', () => {
  const path = '/api/v1/crates/owned/owners';
  const change = (method: 'PUT' | 'DELETE', users: unknown, token = alice): Promise<Answer> =>
    ask(method, path, { token, body: JSON.stringify({ users }) });

  it('are objects with an id, a login and a name or null', async () => {
    await published('owned');
    const { json } = await ask('GET', path, { token: alice });
    expect(json).toMatchObject({
      users: [{ id: expect.any(Number), login: 'alice', name: null, kind: 'user' }],
    });
  });

  it('are added at once, with a message', async () => {
    const { status, json } = await change('PUT', ['bob']);
    expect([status, json]).toEqual([
      200,
      { ok: true, msg: 'user bob has been added as an owner of crate owned' },
    ]);
    const { json: list } = await ask('GET', path, { token: bob });
    expect(list).toMatchObject({ users: [{ login: 'alice' }, { login: 'bob' }] });
    expect((await change('PUT', ['bob'])).json).toMatchObject({
      ok: true,
      msg: 'user bob is already an owner of crate owned',
    });
  });

  it('are removed with ok and msg, except the last one', async () => {
    const { status, json } = await change('DELETE', ['alice'], bob);
    expect([status, json]).toEqual([200, { ok: true, msg: expect.any(String) }]);
    const last = await change('DELETE', ['bob'], bob);
    expect([last.status, last.json]).toEqual([409, refused(expect.stringContaining('at least one'))]);
  });

  it('are the only users who may change a crate', async () => {
    const notOwner = [
      change('PUT', ['alice']),
      publish(publishBody({ name: 'owned', version: '2.0.0' }).bytes),
      ask('DELETE', '/api/v1/crates/owned/1.0.0/yank', { token: alice }),
    ];
    for (const { status, json } of await Promise.all(notOwner)) {
      expect([status, json]).toEqual([403, refused(expect.any(String))]);
    }
  });

  it('must exist, and the crate must exist', async () => {
    const user = await change('PUT', ['nobody-here'], bob);
    expect([user.status, user.json]).toEqual([404, refused('could not find user with login `nobody-here`')]);
    expect((await ask('GET', '/api/v1/crates/no-such-crate/owners')).status).toBe(404);
  });

  it.each([['{'], ['[]'], ['{"users":"bob"}'], ['{"users":[1]}'], ['{}'], ['{"users":[]}'], ['']])(
    'cannot be changed with the body %s',
    async (body) => {
      const { status, json } = await ask('PUT', path, { token: bob, body });
      expect([status, json]).toEqual([400, refused(expect.any(String))]);
    },
  );
});

describe('search', () => {
  beforeAll(async () => {
    for (let i = 0; i < 12; i += 1) await published(`findme-${String.fromCharCode(97 + i)}`, '0.1.0');
    await published('findme-a', '0.2.0', { description: 'The first' });
  });

  const search = async (query: string): Promise<{ crates: unknown[]; meta: { total: number } }> =>
    JSON.parse((await ask('GET', `/api/v1/crates?${query}`)).text);

  it('returns name, highest version and description, and the total', async () => {
    const { crates, meta } = await search('q=findme-a&per_page=1');
    expect(crates).toMatchObject([{ name: 'findme-a', max_version: '0.2.0', description: 'The first' }]);
    expect(meta.total).toBeGreaterThanOrEqual(1);
  });

  it('returns 10 results by default, and more with per_page and page', async () => {
    const first = await search('q=findme');
    expect([first.crates.length, first.meta.total]).toEqual([10, 12]);
    expect((await search('q=findme&page=2')).crates).toHaveLength(2);
    expect((await search('q=findme&per_page=5&page=3')).crates).toHaveLength(2);
    expect((await search('q=findme&per_page=1000')).crates).toHaveLength(12);
    expect((await search('q=findme&page=9')).crates).toEqual([]);
    expect((await search('q=nothing%2Dlike%20this')).meta.total).toBe(0);
  });

  it.each(['0', '-1', 'ten', '', '1.5', '10 '])('refuses per_page=%s', async (perPage) => {
    const { status, json } = await ask('GET', `/api/v1/crates?per_page=${encodeURIComponent(perPage)}`);
    expect([status, json]).toEqual([400, refused(expect.stringContaining('per_page'))]);
  });
});

describe('tokens', () => {
  const yank = (token?: string): Promise<Answer> =>
    ask('DELETE', '/api/v1/crates/two-hundred/1.0.0/yank', token === undefined ? {} : { token });

  it('are accepted in Authorization, bare or after Bearer', async () => {
    expect((await yank(alice)).status).toBe(200);
    expect((await yank(`Bearer ${alice}`)).status).toBe(200);
  });

  it('get status 403 if they are invalid or expired', async () => {
    const expired = await registry.token('alice', '--expires', '1s');
    await sleep(1100);
    for (const token of ['wrong', 'Bearer wrong', `${alice}x`, expired, 'Basic YTpi']) {
      const { status, json } = await yank(token);
      expect([status, json], token).toEqual([403, refused(expect.any(String))]);
    }
    expect((await ask('GET', '/api/v1/crates', { token: 'wrong' })).status).toBe(403);
  });

  it('are requested with status 401 and the login URL if they are missing', async () => {
    const { status, headers, json } = await yank();
    expect([status, json]).toEqual([401, refused(expect.any(String))]);
    expect(headers.get('www-authenticate')).toBe(`Cargo login_url="${registry.url}/me"`);
  });

  it('are limited to their scopes and crates', async () => {
    const yanker = await registry.token('alice', '--scope', 'yank', '--crate', 'two-*');
    expect((await yank(yanker)).status).toBe(200);
    expect((await ask('DELETE', '/api/v1/crates/yanked/1.0.0/yank', { token: yanker })).status).toBe(403);
    expect((await publish(publishBody({ name: 'two-new', version: '1.0.0' }).bytes, yanker)).status).toBe(
      403,
    );
    const body = JSON.stringify({ users: ['bob'] });
    const owners = await ask('PUT', '/api/v1/crates/two-hundred/owners', { token: yanker, body });
    expect(owners.status).toBe(403);
    const updater = await registry.token('alice', '--scope', 'publish-update');
    expect((await publish(publishBody({ name: 'brand-new', version: '1.0.0' }).bytes, updater)).status).toBe(
      403,
    );
    const update = publishBody({ name: 'two-hundred', version: '1.0.1' }).bytes;
    expect((await publish(update, updater)).status).toBe(200);
  });
});

describe('errors', () => {
  it('have the right status and the JSON format of errors', async () => {
    for (const [method, path, status] of [
      ['GET', '/api/v1/nothing', 404],
      ['GET', '/api/v1/crates/no-such-crate/1.0.0/download', 404],
      ['GET', '/api/v2/crates', 404],
      ['POST', '/api/v1/crates/new', 405],
      ['GET', '/api/v1/crates/whole-way/1.2.3/yank', 405],
    ] as const) {
      const answer = await ask(method, path);
      expect([answer.status, answer.json], path).toEqual([status, refused(expect.any(String))]);
    }
  });
});

it('logs no error if a client disconnects', async () => {
  const { port } = new URL(registry.url);
  const leave = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
      setTimeout(() => socket.destroy(), 100);
      socket.on('close', () => resolve());
    });
  const before = registry.log().length;
  const head = `PUT /api/v1/crates/new HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${alice}\r\n`;
  await leave(`${head}Content-Length: 1000\r\n\r\nabc`);
  await leave('GET /api/v1/crates/whole-way/1.2.3/download HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await expect.poll(() => registry.log().slice(before)).toContain('"path":"/api/v1/crates/new"');
  expect(registry.log().slice(before)).not.toContain('"level":"error"');
});

describe('the index', () => {
  it('has a config.json', async () => {
    const { json, headers } = await ask('GET', '/index/config.json');
    expect(json).toEqual({
      dl: `${registry.url}/api/v1/crates`,
      api: registry.url,
      'auth-required': false,
      'dry-run': true,
    });
    expect(headers.get('content-type')).toBe('application/json');
    expect(registry.index).toBe(`sparse+${registry.url}/index/`);
  });

  it('uses lower-case paths and returns 404 for all others', async () => {
    await published('MixedCase');
    expect(await linesOf('mixedcase')).toMatchObject([{ name: 'MixedCase' }]);
    for (const path of [
      '/index/Mi/xe/MixedCase',
      '/index/mi/xe/mixed_case',
      '/index/xx/xx/mixedcase',
      '/index/mixedcase',
      '/index/no/th/nothing',
      '/index/',
      '/index/..%2f..%2fdata',
    ]) {
      expect((await ask('GET', path)).status, path).toBe(404);
    }
  });

  it('returns 304 only to clients that have the current file', async () => {
    const path = pathInIndex('whole-way');
    const { headers } = await ask('GET', path);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    const unchanged = await ask('GET', path, { headers: { 'if-none-match': etag } });
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await ask('GET', path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    await expect
      .poll(async () => (await ask('GET', path)).headers.get('last-modified'), { timeout: 3000 })
      .not.toBeNull();
    const modified = (await ask('GET', path)).headers.get('last-modified') ?? '';
    expect((await ask('GET', path, { headers: { 'if-modified-since': modified } })).status).toBe(304);
    await published('whole-way', '1.2.4');
    expect((await ask('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('is compressed for clients that accept it', async () => {
    for (let patch = 0; patch < 6; patch += 1) await published('longer', `1.0.${patch}`);
    const plain = await ask('GET', pathInIndex('longer'), { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const packed = await rawBody(pathInIndex('longer'), 'gzip');
    expect(gunzipSync(packed).equals(plain.bytes)).toBe(true);
    const packedTag = (await ask('GET', pathInIndex('longer'))).headers.get('etag') ?? '';
    expect(packedTag).not.toBe(plain.headers.get('etag'));
    const headers = { 'if-none-match': packedTag };
    expect((await ask('GET', pathInIndex('longer'), { headers })).status).toBe(304);
  });

  it('may be cached but must be revalidated', async () => {
    const { headers } = await ask('GET', pathInIndex('whole-way'));
    expect(headers.get('cache-control')).toBe('public, no-cache');
  });
});

describe('downloads', () => {
  const path = '/api/v1/crates/whole-way/1.2.3/download';

  it('have a length, a checksum and an ETag, and may be cached forever', async () => {
    const { bytes, headers } = await ask('GET', path);
    const sha256 = createHash('sha256').update(bytes).digest();
    expect(headers.get('content-length')).toBe(String(bytes.length));
    expect(headers.get('etag')).toBe(`"${sha256.toString('hex')}"`);
    expect(headers.get('repr-digest')).toBe(`sha-256=:${sha256.toString('base64')}:`);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = headers.get('etag') ?? '';
    expect((await ask('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await ask('HEAD', path);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  it('support range requests', async () => {
    const { bytes, headers } = await ask('GET', path);
    const part = await ask('GET', path, { headers: { range: 'bytes=10-19' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(part.bytes.equals(bytes.subarray(10, 20))).toBe(true);
    const end = await ask('GET', path, { headers: { range: 'bytes=-5' } });
    expect(end.bytes.equals(bytes.subarray(-5))).toBe(true);
    const beyond = await ask('GET', path, { headers: { range: `bytes=${bytes.length}-` } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    const old = await ask('GET', path, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } });
    expect(old.status).toBe(200);
    const same = { range: 'bytes=0-1', 'if-range': headers.get('etag') ?? '' };
    expect((await ask('GET', path, { headers: same })).status).toBe(206);
  });
});

describe('the server', () => {
  it('has /healthz and /metrics', async () => {
    const sqlite =
      TEST_DATABASE === null ? { sqlite: expect.stringMatching(/^(?:node:sqlite|libsql) 3\./) } : {};
    expect((await ask('GET', '/healthz')).json).toEqual({ status: 'ok', ...sqlite });
    const { text, headers } = await ask('GET', '/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(/^tsreg_http_requests_total\{route="publish",method="PUT",status="200"\} \d+$/m);
    expect(text).toMatch(/^tsreg_crates \d+$/m);
  });

  it('refuses request headers that are too large', async () => {
    const answer = await ask('GET', '/api/v1/crates', { headers: { 'x-long': 'x'.repeat(20_000) } });
    expect(answer.status).toBe(431);
  });

  it('counts downloads', async () => {
    await published('counted');
    await ask('GET', '/api/v1/crates/counted/1.0.0/download');
    await ask('HEAD', '/api/v1/crates/counted/1.0.0/download');
    const total = async (): Promise<number> =>
      Number(/^tsreg_downloads_total (\d+)$/m.exec((await ask('GET', '/metrics')).text)?.[1]);
    await expect.poll(total, { timeout: 10_000, interval: 500 }).toBeGreaterThan(0);
  });
});

describe('a registry with --auth-required', () => {
  let closed: ServedRegistry;
  let reader = '';
  const get = (path: string, token?: string): Promise<Answer> =>
    ask('GET', `${closed.url}${path}`, token === undefined ? {} : { token });

  beforeAll(async () => {
    closed = await serveRegistry(`${temp.path}/closed`, ['--auth-required']);
    const writer = await closed.token('carol');
    reader = await closed.token('dave', '--scope', 'read');
    const body = publishBody({ name: 'secret', version: '1.0.0' }).bytes;
    const answer = await ask('PUT', `${closed.url}/api/v1/crates/new`, { token: writer, body });
    expect(answer.status, answer.text).toBe(200);
  });

  afterAll(() => closed[Symbol.asyncDispose]());

  const readable = ['/index/config.json', '/index/se/cr/secret', '/api/v1/crates/secret/1.0.0/download'];

  it('sets auth-required in config.json', async () => {
    expect((await get('/index/config.json', reader)).json).toMatchObject({ 'auth-required': true });
  });

  it.each(readable)('responds to %s with 401 and the challenge without a valid token', async (path) => {
    const challenge = `Cargo login_url="${closed.url}/me"`;
    for (const token of [undefined, 'wrong']) {
      const { status, headers } = await get(path, token);
      expect([status, headers.get('www-authenticate')]).toEqual([401, challenge]);
    }
    const { status, headers } = await get(path, reader);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toMatch(/^private/);
    const writeOnly = await closed.token('dave', '--scope', 'yank');
    expect((await get(path, writeOnly)).status).toBe(403);
  });

  it('responds to the web API with 401 without a token and 403 with a wrong one', async () => {
    for (const path of ['/api/v1/crates?q=secret', '/api/v1/crates/secret/owners']) {
      expect((await get(path)).status).toBe(401);
      expect((await get(path, 'wrong')).status).toBe(403);
      expect((await get(path, reader)).status).toBe(200);
    }
  });
});

describe('a stopping server', () => {
  it.skipIf(onWindows)(
    'finishes started requests (not on Windows, where a program gets no signal to stop)',
    async () => {
      await using stopping = await serveRegistry(`${temp.path}/stopping`);
      const token = await stopping.token('erin');
      const { bytes } = publishBody({ name: 'unhurried', version: '1.0.0' });
      const { port } = new URL(stopping.url);
      const socket = connect(Number(port), '127.0.0.1');
      let answer = '';
      socket.on('data', (data) => {
        answer += data.toString();
      });
      const closed = new Promise((resolve) => socket.on('close', resolve));
      socket.write(
        `PUT /api/v1/crates/new HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${token}\r\n` +
          `Content-Length: ${bytes.length}\r\n\r\n`,
      );
      socket.write(bytes.subarray(0, 100));
      await new Promise((resolve) => setTimeout(resolve, 200));
      const stopped = stopping.stop();
      await new Promise((resolve) => setTimeout(resolve, 200));
      await expect(fetch(stopping.url)).rejects.toThrow();
      socket.write(bytes.subarray(100));
      await closed;
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(await stopped).toBe(0);
      await using again = await serveRegistry(`${temp.path}/stopping`);
      const { text } = await ask('GET', `${again.url}/index/un/hu/unhurried`);
      expect(text).toContain('"vers":"1.0.0"');
    },
  );
});

/** Returns the bytes of a response without decompression. */
async function rawBody(path: string, encoding: string): Promise<Buffer> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request(`${registry.url}${path}`, { headers: { 'accept-encoding': encoding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    })
      .on('error', reject)
      .end();
  });
}
