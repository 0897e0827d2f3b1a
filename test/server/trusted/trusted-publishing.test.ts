import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TsregError } from '../../../src/core/errors/error.ts';
import { createApp, type ServerApp } from '../../../src/server/app.ts';
import { makeToken } from '../../../src/server/admin/make-token.ts';
import type { Claim, Publisher } from '../../../src/server/store/values.ts';
import { addPublisher, type PublisherRequest } from '../../../src/server/trusted/publishers.ts';
import { type Issuer, startIssuer } from '../../helpers/issuer.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

const HOST = '127.0.0.1:7878';
const PATH = '/api/v1/trusted_publishing/tokens';

let registry: TestRegistry;
let issuer: Issuer;
let app: ServerApp;

beforeAll(async () => {
  issuer = await startIssuer();
});

afterAll(() => issuer[Symbol.asyncDispose]());

beforeEach(async () => {
  registry = await openTestRegistry();
  issuer.asked.length = 0;
  issuer.answers.clear();
  app = createApp(registry.context);
  await registry.user('alice');
});

afterEach(() => registry[Symbol.asyncDispose]());

function ask(
  method: string,
  { body, token, path = PATH }: { body?: Uint8Array | string; token?: string; path?: string } = {},
): Promise<Response> | Response {
  return app.fetch(
    new Request(`http://x${path}`, {
      method,
      ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
      ...(token === undefined ? {} : { headers: { authorization: token } }),
    }),
    {},
  );
}

async function exchange(jwt: unknown, method = 'PUT'): Promise<{ status: number; json: { token?: string } }> {
  const answer = await ask(method, { body: JSON.stringify({ jwt }) });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

async function refusal(jwt: unknown): Promise<readonly [status: number, json: string]> {
  const { status, json } = await exchange(jwt);
  return [status, JSON.stringify(json)];
}

const add = (more: Partial<PublisherRequest> = {}): Promise<Publisher> =>
  addPublisher(registry.context, {
    issuer: issuer.url,
    claims: [{ name: 'repository', value: 'acme/foo' }],
    cratePatterns: ['foo'],
    ...{ login: 'alice', actor: null },
    ...more,
  });

let count = 0;
/** Returns claims that match the publisher of `add`. */
function job(more: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1;
  const now = registry.nowMs / 1000;
  return {
    ...{ aud: HOST, exp: now + 300, nbf: now, iat: now, jti: `job-${count}`, sub: 'repo:acme/foo' },
    ...{ repository: 'acme/foo', ...more },
  };
}

async function tokenOf(claims = job()): Promise<string> {
  const { status, json } = await exchange(issuer.sign(claims));
  expect([status, json]).toEqual([200, expect.anything()]);
  return json.token ?? '';
}

function limitRefusals(refusalsPerMinute: number): void {
  const { settings } = registry.context;
  const limits = { ...settings.limits, refusalsPerMinute };
  app = createApp({ ...registry.context, settings: { ...settings, limits } });
}

async function publish(name: string, token: string): Promise<number> {
  const { bytes } = publishBody({ name, version: '1.0.0' });
  return (await ask('PUT', { body: bytes, token, path: '/api/v1/crates/new' })).status;
}

describe('a CI job of a trusted publisher', () => {
  it('may have times with fractions of a second', async () => {
    await add();
    const now = registry.nowMs / 1000;
    await tokenOf(job({ exp: now + 300.000_25, nbf: now - 0.5, iat: now - 0.5 }));
  });

  it.each(['PUT', 'POST'])(
    'gets a token by %s, which is valid for publishing its crates within half an hour',
    async (method) => {
      await add();
      const { status, json } = await exchange(issuer.sign(job()), method);
      expect([status, json]).toEqual([
        200,
        {
          token: expect.stringMatching(/^tsreg_/),
          crates: ['foo'],
          expires_at: expect.stringMatching(/^2026-01-02T03:3/),
        },
      ]);
      const token = json.token ?? '';
      expect([await publish('foo', token), await publish('bar', token)]).toEqual([200, 403]);
      expect((await ask('DELETE', { token, path: '/api/v1/crates/foo/1.0.0/yank' })).status).toBe(403);
      expect(
        (await registry.store.records.listVersions('foo', { limit: 9, offset: 0 })).items.map(
          ({ publishedBy }) => publishedBy,
        ),
      ).toEqual(['alice']);
      registry.nowMs += 31 * 60_000;
      expect(await publish('foo', token)).toBe(403);
    },
  );

  it('is listed in the audit trail with its issuer', async () => {
    await add();
    await tokenOf();
    const { items } = await registry.store.records.listAudit({}, { limit: 9, offset: 0 });
    expect(items).toMatchObject([
      { action: 'make-token', actor: 'alice', detail: `trusted publishing, ${issuer.url}: repo:acme/foo` },
      { action: 'add-publisher', subject: 'alice', detail: expect.stringContaining('repository=acme/foo') },
    ]);
  });

  it('can revoke its own token, but not an ordinary one', async () => {
    await add();
    const token = await tokenOf();
    expect((await ask('DELETE', { token })).status).toBe(204);
    expect([(await ask('DELETE', { token })).status, await publish('foo', token)]).toEqual([403, 403]);
    expect((await ask('DELETE')).status).toBe(401);
    const { records } = registry.store;
    const [user] = (await records.listUsers({ limit: 1, offset: 0 })).items;
    const order = {
      login: user?.login ?? '',
      name: 'own',
      scopes: [],
      cratePatterns: [],
      expiresAfterMs: null,
    };
    const own = await makeToken(registry.context, order);
    expect((await ask('DELETE', { token: own })).status).toBe(403);
    expect((await ask('GET', { token: own, path: '/api/v1/me' })).status).toBe(200);
  });

  it('gets the crates of all matching publishers if they belong to one user', async () => {
    await add();
    await add({ cratePatterns: ['bar', 'foo'], claims: [{ name: 'sub', value: 'repo:acme/*' }] });
    await add({ cratePatterns: ['other'], claims: [{ name: 'repository', value: 'acme/other' }] });
    expect((await exchange(issuer.sign(job()))).json).toMatchObject({ crates: ['foo', 'bar'] });
    await registry.user('bob');
    await add({ cratePatterns: ['bobs'], login: 'bob' });
    expect(await refusal(issuer.sign(job()))).toEqual([400, expect.stringContaining('several users')]);
  });

  it('is refused once the publisher is removed, and so are its tokens', async () => {
    const { id } = await add();
    const token = await tokenOf();
    const { records } = registry.store;
    expect(await records.deletePublisher({ id, atMs: registry.nowMs, actor: null })).toMatchObject({ id });
    expect(await records.deletePublisher({ id, atMs: registry.nowMs, actor: null })).toBeNull();
    expect(await publish('foo', token)).toBe(403);
    expect(await refusal(issuer.sign(job()))).toEqual([400, expect.stringContaining('not known')]);
  });

  it('is refused once its user is disabled', async () => {
    const { user } = await add();
    await registry.store.records.updateUser(user.id, { isDisabled: true });
    expect(await refusal(issuer.sign(job()))).toEqual([400, expect.stringContaining('disabled')]);
  });

  it('gets a token without another one in a private registry, and can read it', async () => {
    await add();
    const settings = { ...registry.context.settings, authRequired: true };
    app = createApp({ ...registry.context, settings });
    expect((await ask('GET', { path: '/index/config.json' })).status).toBe(401);
    const token = await tokenOf();
    expect((await ask('GET', { token, path: '/index/config.json' })).status).toBe(200);
    expect(await publish('foo', token)).toBe(200);
  });

  it('does not leave expired tokens behind', async () => {
    const { user } = await add();
    await tokenOf();
    registry.nowMs += 25 * 3_600_000;
    await tokenOf();
    expect(await registry.store.records.listTokens(user.id)).toHaveLength(1);
  });
});

describe('claims', () => {
  it.each<[Claim, Record<string, unknown>, boolean]>([
    [{ name: 'ref', value: 'refs/tags/*' }, { ref: 'refs/tags/v1' }, true],
    [{ name: 'ref', value: 'refs/tags/*' }, { ref: 'refs/heads/refs/tags/' }, false],
    [{ name: 'ref', value: 'refs/tags/v1' }, { ref: 'refs/tags/v10' }, false],
    [{ name: 'ref', value: 'refs/tags/v1' }, {}, false],
    [{ name: 'ref_protected', value: 'true' }, { ref_protected: true }, true],
    [{ name: 'project_id', value: '17' }, { project_id: 17 }, true],
    [{ name: 'groups', value: 'release' }, { groups: ['dev', 'release'] }, false],
    [{ name: 'groups', value: 'release' }, { groups: ['release'] }, false],
    [{ name: 'groups', value: '["dev","release"]' }, { groups: ['dev', 'release'] }, true],
    [{ name: 'groups', value: 'release' }, { groups: ['dev', ['release']] }, false],
    [{ name: 'toString', value: 'function*' }, {}, false],
    [{ name: 'ref', value: 'null' }, { ref: null }, false],
    [{ name: 'Ref', value: 'x' }, { ref: 'x' }, false],
  ])('like %j match %j: %s', async (claim, said, isIn) => {
    await add({ claims: [claim, { name: 'repository', value: 'acme/foo' }] });
    expect((await exchange(issuer.sign(job(said)))).status).toBe(isIn ? 200 : 400);
  });
});

describe('a JWT', () => {
  it('is accepted once, even if it is signed again', async () => {
    await add();
    const claims = job();
    await tokenOf(claims);
    expect(await refusal(issuer.sign(claims))).toEqual([400, expect.stringContaining('used already')]);
    expect(await refusal(issuer.sign({ ...claims, sub: 'again' }))).toEqual([
      400,
      expect.stringContaining('used already'),
    ]);
  });

  it('without a `jti` is accepted once, even with another signature', async () => {
    await add();
    const claims = job({ jti: undefined });
    const [first, second] = [
      issuer.sign(claims, { algorithm: 'ES256' }),
      issuer.sign(claims, { algorithm: 'ES256' }),
    ];
    expect(first).not.toBe(second);
    expect([(await exchange(first)).status, (await exchange(second)).status]).toEqual([200, 400]);
    await tokenOf(job({ jti: undefined, run: 2 }));
  });

  it.each([
    ['expired', () => ({ exp: registry.nowMs / 1000 - 120 })],
    ['does not say when it expires', () => ({ exp: undefined })],
    ['does not say when it expires', () => ({ exp: '4e9' })],
    ['not valid yet', () => ({ nbf: registry.nowMs / 1000 + 600 })],
    ['not valid yet', () => ({ iat: registry.nowMs / 1000 + 600 })],
    ['not valid yet', () => ({ nbf: 'soon' })],
    ['audience', () => ({ aud: 'example.com' })],
    ['audience', () => ({ aud: undefined })],
    ['audience', () => ({ aud: ['example.com', `${HOST}0`] })],
    ['no publisher matches', () => ({ repository: 'acme/other' })],
    ['not known', () => ({ iss: 'https://elsewhere.example' })],
    ['not known', () => ({ iss: 7 })],
  ])('is refused: %s', async (reason, more) => {
    await add();
    expect(await refusal(issuer.sign(job(more())))).toEqual([400, expect.stringContaining(reason)]);
  });

  it('is quoted without characters that are invisible or reorder text', async () => {
    await add();
    const jwt = issuer.sign(job({ repository: 'acme/other', sub: 'a\u202eb' }));
    expect(await refusal(jwt)).toEqual([400, expect.stringContaining('`a\\\\u{202e}b`')]);
  });

  it('may have several audiences, or the URL of the registry as its audience', async () => {
    await add();
    await tokenOf(job({ aud: ['elsewhere', HOST] }));
    await tokenOf(job({ aud: `http://${HOST}` }));
  });

  it('is refused unless it has a valid signature with a key of the issuer', async () => {
    await add();
    const { privateKey: foreign } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const bad = [
      issuer.sign(job(), { key: foreign }),
      issuer.sign(job(), { header: { kid: 'ec-1' } }),
      issuer.sign(job(), { header: { kid: 'unknown' } }),
      issuer.sign(job(), { algorithm: 'none' }),
      issuer.sign(job(), { algorithm: 'HS256' }),
      issuer.sign(job(), { header: { crit: ['exp'] } }),
      `${issuer.sign(job()).slice(0, -8)}AAAAAAAA`,
      issuer.sign(job()).replace(/[\w-]+$/, ''),
      `${issuer.sign(job())}.x`,
      'x'.repeat(20_000),
      '',
      'e30.e30.AA',
      `${Buffer.from('[]').toString('base64url')}.e30.AA`,
    ];
    for (const jwt of bad) expect((await exchange(jwt)).status, jwt.slice(0, 200)).toBe(400);
    for (const odd of [7, null, undefined, {}]) expect((await exchange(odd)).status).toBe(400);
    await tokenOf();
    expect((await exchange(issuer.sign(job(), { algorithm: 'ES256' }))).status).toBe(200);
    expect((await exchange(issuer.sign(job(), { header: { kid: undefined } }))).status).toBe(200);
  });

  it('is accepted with any of several keys that have its ID, but not with a weak one', async () => {
    await add();
    const [first, second, weak] = [2048, 2048, 1024].map((modulusLength) =>
      generateKeyPairSync('rsa', { modulusLength }),
    );
    const keys = [
      { kty: 'RSA', kid: 'same', n: 'AA', e: 'AQAB' },
      ...[weak, first, second].map((pair) => ({ ...pair?.publicKey.export({ format: 'jwk' }), kid: 'same' })),
    ];
    issuer.answers.set('/keys', { status: 200, body: JSON.stringify({ keys }) });
    const signed = (key: KeyObject | undefined, more = {}, kid: unknown = 'same'): string =>
      issuer.sign(job(more), { header: { kid }, ...(key === undefined ? {} : { key }) });
    for (const pair of [first, second]) {
      expect((await exchange(signed(pair?.privateKey))).status).toBe(200);
      expect((await exchange(signed(pair?.privateKey, {}, undefined))).status).toBe(200);
      const old = { exp: registry.nowMs / 1000 - 120 };
      expect(await refusal(signed(pair?.privateKey, old))).toEqual([400, expect.stringContaining('expired')]);
    }
    for (const jwt of [signed(weak?.privateKey), signed(undefined), signed(first?.privateKey, {}, 7)])
      expect(await refusal(jwt)).toEqual([400, expect.stringContaining('signature is not valid')]);
  });

  it.each([
    ['expires', { exp: -59.5, iat: -100 }],
    ['is too old', { exp: 3600, iat: -3660 }],
  ])('cannot be used again in the second in which it %s', async (_, times) => {
    await add();
    const now = Math.ceil(registry.nowMs / 1000);
    let clockMs = now * 1000;
    app = createApp({ ...registry.context, clock: { now: () => clockMs } });
    const claims = { ...job(), exp: now + times.exp, iat: now + times.iat, nbf: now + times.iat };
    await tokenOf(claims);
    clockMs += 999;
    await tokenOf();
    expect(await refusal(issuer.sign(claims))).toEqual([400, expect.stringContaining('used already')]);
  });

  it('cannot be used again after a server whose clock is a minute ahead has deleted old entries', async () => {
    await add();
    const now = Math.ceil(registry.nowMs / 1000);
    let clockMs = now * 1000;
    app = createApp({ ...registry.context, clock: { now: () => clockMs } });
    const claims = job({ exp: now - 59, iat: now - 100, nbf: now - 100 });
    await tokenOf(claims);
    clockMs += 999;
    const ahead = clockMs / 1000 + 60;
    const other = createApp({ ...registry.context, clock: { now: () => ahead * 1000 } });
    const body = JSON.stringify({ jwt: issuer.sign(job({ exp: ahead + 60, iat: ahead, nbf: ahead })) });
    expect((await other.fetch(new Request(`http://x${PATH}`, { method: 'PUT', body }), {})).status).toBe(200);
    expect(await refusal(issuer.sign(claims))).toEqual([400, expect.stringContaining('used already')]);
  });

  it('causes a 429 after too many refusals', async () => {
    limitRefusals(2);
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await exchange('x')).status);
    expect(statuses).toEqual([400, 400, 429]);
  });
});

describe('an issuer', () => {
  it('gets no request unless a publisher names it', async () => {
    await refusal(issuer.sign(job()));
    await add({ issuer: 'https://issuer.example' });
    await refusal(issuer.sign(job()));
    expect(issuer.asked).toEqual([]);
  });

  it('gets requests again for an unknown key, and when its cached keys expire', async () => {
    await add();
    for (let i = 0; i < 3; i += 1) await tokenOf();
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
    issuer.changeKey();
    expect((await exchange(issuer.sign(job()))).status).toBe(400);
    registry.nowMs += 60_000;
    await tokenOf();
    expect(issuer.asked).toHaveLength(4);
    registry.nowMs += 11 * 60_000;
    await tokenOf();
    expect(issuer.asked).toHaveLength(6);
  });

  it('gets no request for a JWT that no key could make acceptable', async () => {
    await add();
    for (const algorithm of ['none', 'HS256'] as const)
      expect(await refusal(issuer.sign(job(), { algorithm }))).toEqual([
        400,
        expect.stringContaining('must be signed with RS256 or ES256'),
      ]);
    const extended = issuer.sign(job(), { header: { crit: ['other'], other: 1 } });
    expect(await refusal(extended)).toEqual([400, expect.stringContaining('requires an extension')]);
    expect(issuer.asked).toEqual([]);
  });

  it('that fails because of an unknown key does not affect jobs with cached keys until these expire', async () => {
    await add();
    await tokenOf();
    issuer.answers.set('/keys', { status: 500, body: '' });
    registry.nowMs += 5 * 60_000;
    const unknown = (): string => issuer.sign(job(), { header: { kid: 'unknown' } });
    expect((await exchange(unknown())).status).toBe(503);
    await tokenOf();
    registry.nowMs += 4 * 60_000;
    expect((await exchange(unknown())).status).toBe(503);
    await tokenOf();
    registry.nowMs += 60_000;
    expect((await exchange(issuer.sign(job()))).status).toBe(503);
  });

  it('that responds late about an unknown key does not delay jobs with cached keys', async () => {
    await add();
    await tokenOf();
    registry.nowMs += 60_000;
    let finish: () => void = () => undefined;
    const after = new Promise<void>((resolve) => {
      finish = resolve;
    });
    issuer.answers.set('/keys', { status: 500, body: '', after });
    const unknown = exchange(issuer.sign(job(), { header: { kid: 'unknown' } }));
    await vi.waitFor(() => expect(issuer.asked).toHaveLength(4), { timeout: 5000 });
    await tokenOf();
    finish();
    expect((await unknown).status).toBe(503);
  });

  it('that fails counts as a refusal of the client, because the JWT may be forged', async () => {
    await add();
    limitRefusals(2);
    issuer.answers.set('/keys', { status: 500, body: '' });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await exchange(issuer.sign(job()))).status);
    expect(statuses).toEqual([503, 503, 429]);
  });

  it('gets each request only once for concurrent jobs', async () => {
    await add();
    await Promise.all(Array.from({ length: 8 }, () => tokenOf()));
    expect(issuer.asked).toHaveLength(2);
  });

  const discovery = '/.well-known/openid-configuration';
  it.each<[string, string, (url: string) => { status: number; body: string; location?: string }]>([
    ['fails', discovery, () => ({ status: 500, body: '' })],
    [
      'is another',
      discovery,
      (url) => ({ status: 200, body: JSON.stringify({ issuer: 'x', jwks_uri: `${url}/keys` }) }),
    ],
    [
      'has its keys elsewhere',
      discovery,
      (url) => ({ status: 200, body: JSON.stringify({ issuer: url, jwks_uri: 'http://192.0.2.1/keys' }) }),
    ],
    [
      'has its keys in a file',
      discovery,
      (url) => ({ status: 200, body: JSON.stringify({ issuer: url, jwks_uri: 'file:///etc/passwd' }) }),
    ],
    ['leads elsewhere', '/keys', (url) => ({ status: 302, body: '', location: `${url}/other` })],
    ['says too much', '/keys', () => ({ status: 200, body: `{"keys":[]${' '.repeat(600_000)}}` })],
    ['says nonsense', '/keys', () => ({ status: 200, body: '<html>' })],
    ['has no keys', '/keys', () => ({ status: 200, body: '{"keys":7}' })],
  ])('that %s causes a 503 for half a minute', async (_, path, answer) => {
    await add();
    issuer.answers.set(path, answer(issuer.url));
    expect(await refusal(issuer.sign(job()))).toEqual([503, expect.stringContaining('cannot get the keys')]);
    issuer.answers.clear();
    expect((await exchange(issuer.sign(job()))).status).toBe(503);
    expect(issuer.asked).not.toContain('/other');
    registry.nowMs += 31_000;
    await tokenOf();
  });
});

describe('a publisher', () => {
  it('belongs to the first owner of its crate if no user is named', async () => {
    await expect(add({ login: null })).rejects.toThrow('there is no crate `foo` yet');
    await expect(add({ login: 'nobody' })).rejects.toThrow('there is no user `nobody`');
    const bob = await registry.tokenOf(await registry.user('bob'));
    await registry.publish(bob, publishBody({ name: 'foo', version: '0.1.0' }).bytes);
    expect((await add({ login: null })).user.login).toBe('bob');
  });

  it.each<[Partial<PublisherRequest>, string]>([
    [{ issuer: 'http://issuer.example' }, 'not the address of an issuer'],
    [{ issuer: 'issuer.example' }, 'not the address of an issuer'],
    [{ issuer: 'https://user@issuer.example' }, 'not the address of an issuer'],
    [{ issuer: 'http://127.0.0.1.example' }, 'not the address of an issuer'],
    [{ claims: [] }, 'needs a claim'],
    [{ claims: [{ name: 'aud', value: 'x' }] }, 'does not identify the publisher'],
    [{ claims: [{ name: 'sub', value: '*' }] }, 'needs a value'],
    [{ claims: [{ name: 'sub', value: '' }] }, 'needs a value'],
    [{ claims: [{ name: 'a b', value: 'x' }] }, 'not the name of a claim'],
    [{ claims: [{ name: 'sub', value: 'x'.repeat(501) }] }, 'too long'],
    [{ cratePatterns: [] }, 'needs a crate'],
    [{ cratePatterns: ['a*b'] }, 'neither the name of a crate'],
  ])('cannot be added with %j', async (more, reason) => {
    await expect(add(more)).rejects.toThrow(reason);
  });

  it('is part of a snapshot of the records', async () => {
    await add();
    await tokenOf();
    const { records } = registry.store;
    const copy = `${registry.folder}/copy.db`;
    await records.saveSnapshot(copy);
    const [publisher] = await records.listPublishers();
    await records.deletePublisher({ id: publisher?.id ?? 0, atMs: 1, actor: null });
    await records.loadSnapshot(copy);
    expect(await records.listPublishers()).toEqual([publisher]);
  });
});

it('lists the allowed methods in a 405 response', async () => {
  const answer = await ask('GET');
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, PUT, DELETE']);
});

it('does not show the reason if the database does not respond', async () => {
  const listPublishers = (): Promise<never> =>
    Promise.reject(new TsregError('cannot connect to db.internal', { code: 'network' }));
  app = createApp({ ...registry.context, records: { ...registry.context.records, listPublishers } });
  const [status, text] = await refusal(issuer.sign(job()));
  expect([status, text]).toEqual([503, expect.stringContaining('storage of the registry')]);
  expect(text).not.toContain('db.internal');
});
