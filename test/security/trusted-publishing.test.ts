import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp, type ServerApp } from '../../src/server/app.ts';
import type { Actor, User } from '../../src/server/store/values.ts';
import { makeSecret, TOKEN_SCOPES } from '../../src/server/auth/tokens.ts';
import { addPublisher } from '../../src/server/trusted/publishers.ts';
import { type Issuer, startIssuer } from '../helpers/issuer.ts';
import { listen } from '../helpers/listen.ts';
import { HTTP } from '../helpers/mirror.ts';
import { makePagesSite } from '../helpers/pages-site.ts';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../helpers/test-registry.ts';

const HOST = '127.0.0.1:7878';

let issuer: Issuer;
let registry: TestRegistry;
let app: ServerApp;
let alice: User;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer[Symbol.asyncDispose]());
beforeEach(async () => {
  registry = await openTestRegistry();
  issuer.asked.length = 0;
  issuer.answers.clear();
  app = createApp(registry.context);
  alice = await registry.user('alice');
});
afterEach(() => registry[Symbol.asyncDispose]());

async function addFor(claims: Readonly<Record<string, string>>): Promise<void> {
  await addPublisher(registry.context, {
    ...{ issuer: issuer.url, cratePatterns: ['foo'], login: 'alice', actor: null },
    claims: Object.entries(claims).map(([name, value]) => ({ name, value })),
  });
}

let jobs = 0;
function job(more: Readonly<Record<string, unknown>> = {}): string {
  jobs += 1;
  const now = registry.nowMs / 1000;
  return issuer.sign({
    ...{ aud: HOST, exp: now + 300, iat: now, jti: `job-${jobs}`, sub: 'repo:acme/foo', repository_id: '17' },
    ...more,
  });
}

/** Sends a request and returns the status and body of the response. */
async function ask(
  method: string,
  at: string,
  { body, token }: { readonly body?: string | Uint8Array; readonly token?: string } = {},
): Promise<readonly [number, string]> {
  const response = await app.fetch(
    new Request(`http://x${at}`, {
      method,
      ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
      ...(token === undefined ? {} : { headers: { authorization: token } }),
    }),
    {},
  );
  return [response.status, await response.text()];
}

const exchange = (jwt: string): Promise<readonly [number, string]> =>
  ask('PUT', '/api/v1/trusted_publishing/tokens', { body: JSON.stringify({ jwt }) });

const trustedToken = async (): Promise<string> => {
  const [status, text] = await exchange(job());
  expect(status).toBe(200);
  return /"token":"([^"]+)"/.exec(text)?.[1] ?? '';
};

/** Creates a token of a user that is limited only by its scopes. */
async function secretOf(user: User, scopes = TOKEN_SCOPES): Promise<string> {
  const { secret, hash, prefix } = makeSecret();
  const times = { createdAtMs: registry.nowMs, expiresAtMs: null };
  await registry.store.records.createToken({
    ...{ userId: user.id, name: 'test', hash, prefix, scopes, cratePatterns: [], ...times },
  });
  return secret;
}

describe('a JWT', () => {
  it.each<[string, (now: number) => Readonly<Record<string, unknown>>]>([
    ['does not say when it was issued', () => ({ iat: undefined })],
    ['does not say when it was issued', () => ({ iat: 'now' })],
    ['does not say when it was issued', (now) => ({ iat: [now] })],
    ['expires before it was issued', (now) => ({ exp: now - 30, iat: now + 30 })],
    ['valid for more than a day', (now) => ({ exp: now + 90_000 })],
    ['valid for more than a day', () => ({ exp: 1e300 })],
    ['is expired', (now) => ({ iat: now - 3_700, exp: now + 3_600 })],
  ])('is refused with the reason: %s', async (reason, more) => {
    await addFor({ repository_id: '17' });
    expect(await exchange(job(more(registry.nowMs / 1000)))).toEqual([400, expect.stringContaining(reason)]);
  });

  it('of a long job is accepted almost an hour after it was issued', async () => {
    await addFor({ repository_id: '17' });
    const now = registry.nowMs / 1000;
    expect((await exchange(job({ iat: now - 3_500, exp: now + 7_200 })))[0]).toBe(200);
  });

  it.each<[string, string, unknown, boolean]>([
    ['one member', 'release', ['release'], false],
    ['a member among others', 'release', ['everybody', 'release'], false],
    ['the beginning of a member', 'rel*', ['release'], false],
    ['all members', '["a","b"]', ['a', 'b'], true],
    ['all members in another order', '["b","a"]', ['a', 'b'], false],
    ['all members but one', '["a"]', ['a', 'b'], false],
    ['a list, and is a text', '["a"]', '["a"]', false],
    ['members of another kind', '["1"]', [1], false],
  ])('matches a list claim only by all its members: %s (%s)', async (_, stated, said, isTaken) => {
    await addFor({ groups: stated });
    expect((await exchange(job({ groups: said })))[0]).toBe(isTaken ? 200 : 400);
  });
});

describe('the keys of an issuer', () => {
  it('are fetched through the configured proxy', async () => {
    const seen: string[] = [];
    const proxy = createServer((request, response) => {
      seen.push(request.url ?? '');
      void fetch(request.url ?? '').then(async (answer) => response.end(await answer.text()));
    });
    const port = await listen(proxy);
    app = createApp({ ...registry.context, http: { ...HTTP, proxy: `http://127.0.0.1:${port}` } });
    await addFor({ repository_id: '17' });
    expect((await exchange(job()))[0]).toBe(200);
    expect(seen).toEqual([`${issuer.url}/.well-known/openid-configuration`, `${issuer.url}/keys`]);
    proxy.close();
    proxy.closeAllConnections();
    await once(proxy, 'close');
  });

  it('cause a 503 without internal details if they do not arrive in time', async () => {
    const silent = createServer(() => undefined);
    const url = `http://127.0.0.1:${await listen(silent)}`;
    const logged: unknown[] = [];
    const log = {
      ...registry.context.log,
      warning: (_: string, values: unknown) => void logged.push(values),
    };
    app = createApp({ ...registry.context, log });
    await addPublisher(registry.context, {
      ...{ issuer: url, cratePatterns: ['foo'], login: 'alice', actor: null },
      claims: [{ name: 'repository_id', value: '17' }],
    });
    const [status, text] = await exchange(job({ iss: url }));
    expect([status, JSON.parse(text)]).toEqual([
      503,
      { errors: [{ detail: `cannot get the keys of the issuer \`${url}\`` }] },
    ]);
    expect(JSON.stringify(logged)).toMatch(/slow|stall|time/i);
    silent.close();
    silent.closeAllConnections();
    await once(silent, 'close');
  });
});

describe('a crate restricted to trusted publishing', () => {
  const version = (number: string): Uint8Array => publishBody({ name: 'foo', version: number }).bytes;
  const restrict = (token: string, isOnly: unknown = true): Promise<readonly [number, string]> =>
    ask('PATCH', '/api/v1/crates/foo', { token, body: JSON.stringify({ crate: { trustpub_only: isOnly } }) });

  let actor: Actor;
  let token: string;
  beforeEach(async () => {
    actor = await registry.tokenOf(alice);
    token = await secretOf(alice);
    expect(await registry.publish(actor, version('1.0.0'))).toMatchObject({ kind: 'published' });
    await addFor({ repository_id: '17' });
  });

  it('accepts versions from CI jobs, but not from user tokens or admins', async () => {
    expect(await restrict(token)).toEqual([
      200,
      JSON.stringify({ crate: { id: 'foo', name: 'foo', trustpub_only: true } }),
    ]);
    const words = 'new versions of the crate `foo` are published only by trusted publishing';
    const refused = { kind: 'refused', status: 403, detail: expect.stringContaining(words) };
    expect(await registry.publish(actor, version('1.1.0'))).toMatchObject(refused);
    const admin = await registry.tokenOf(await registry.user('root', true));
    expect(await registry.publish(admin, version('1.1.0'))).toMatchObject(refused);
    const body = version('1.1.0');
    expect((await ask('PUT', '/api/v1/crates/new', { token: await trustedToken(), body }))[0]).toBe(200);
    expect((await restrict(token, false))[1]).toContain('"trustpub_only":false');
    expect(await registry.publish(actor, version('1.2.0'))).toMatchObject({ kind: 'published' });
    const { items } = await registry.store.records.listAudit(
      { action: 'change-crate' },
      { limit: 9, offset: 0 },
    );
    expect(items.map(({ actor: who, crate, detail }) => [who, crate, detail])).toEqual([
      ['alice', 'foo', 'trusted publishing or tokens'],
      ['alice', 'foo', 'trusted publishing only'],
    ]);
  });

  it('can be restricted by owners and admins, with a token of the `owners` scope', async () => {
    expect((await restrict(await secretOf(alice, ['read', 'publish-update'])))[0]).toBe(403);
    expect((await restrict(await trustedToken()))[0]).toBe(403);
    expect((await restrict(await secretOf(await registry.user('bob'))))[0]).toBe(403);
    expect((await restrict(token, 'yes'))[0]).toBe(400);
    expect((await registry.store.records.findCrate('foo'))?.isTrustedOnly).toBe(false);
    expect((await restrict(await secretOf(await registry.user('root', true))))[0]).toBe(200);
    expect(
      (await ask('PATCH', '/api/v1/crates/none', { token, body: '{"crate":{"trustpub_only":true}}' }))[0],
    ).toBe(404);
  });

  it.skipIf(process.env['TSREG_TEST_DATABASE'] !== undefined)(
    'is restricted and released by `serve publisher only` (only with SQLite: the command gets a folder)',
    async () => {
      const only = async (...args: readonly string[]): Promise<readonly [number, string]> => {
        const words = ['serve', 'publisher', 'only', '--data', registry.folder, ...args];
        const env = { PATH: process.env['PATH'] ?? '', HOME: path.join(registry.folder, 'home') };
        const { status, stderr } = await runProgram(tsregProgram(), words, { cwd: '/', env });
        return [status, stderr.trim()];
      };
      expect(await only('foo')).toEqual([0, 'Changed foo: only trusted publishing can add versions']);
      expect((await registry.store.records.findCrate('foo'))?.isTrustedOnly).toBe(true);
      expect(await only('foo')).toEqual([0, 'Unchanged foo: only trusted publishing can add versions']);
      expect(await only('--off', 'foo')).toEqual([0, 'Changed foo: tokens of owners can add versions too']);
      expect((await registry.store.records.findCrate('foo'))?.isTrustedOnly).toBe(false);
      expect(await only('none')).toEqual([101, expect.stringContaining('there is no crate `none`')]);
    },
  );

  it('stays restricted in a snapshot of the records', async () => {
    await restrict(token);
    const file = path.join(registry.folder, '..', 'copy.db');
    await registry.store.records.saveSnapshot(file);
    await using other = await openTestRegistry();
    await other.store.records.loadSnapshot(file);
    expect((await other.store.records.findCrate('foo'))?.isTrustedOnly).toBe(true);
  });

  it('is restricted and released on its page by its owners only', async () => {
    await using site = await makePagesSite();
    await site.publish(await site.addUser('mira'), { name: 'own', version: '1.0.0' });
    await site.addUser('eve');
    const isOnly = async (): Promise<boolean | undefined> =>
      (await site.store.records.findCrate('own'))?.isTrustedOnly;
    const [mira, eve, nobody] = [site.browser(), site.browser(), site.browser()];
    await mira.signIn('mira');
    await eve.signIn('eve');
    expect((await eve.get('/crates/own')).text).not.toContain('trusted-only');
    const set = (browser: typeof mira, only: string, page = '/crates/own'): Promise<{ status: number }> =>
      browser.submit(page, '/crates/own/trusted-only', { only });
    expect((await set(eve, 'yes', '/me')).status).toBe(403);
    expect((await nobody.post('/crates/own/trusted-only', { only: 'yes' })).headers.get('location')).toBe(
      '/sign-in',
    );
    expect((await mira.post('/crates/own/trusted-only', { only: 'yes' })).status).toBe(403);
    expect(await isOnly()).toBe(false);
    expect((await set(mira, 'yes')).status).toBe(303);
    expect(await isOnly()).toBe(true);
    expect((await eve.get('/crates/own')).text).toContain(
      'Only trusted publishers can publish new versions.',
    );
    expect((await set(mira, 'no')).status).toBe(303);
    expect(await isOnly()).toBe(false);
  });
});
