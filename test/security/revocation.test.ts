import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { makeFormProof, sign } from '../../src/server/pages/shared/form-proof.ts';
import { hashToken, makeSecret, TOKEN_SCOPES } from '../../src/server/auth/tokens.ts';
import type { Actor, User } from '../../src/server/store/values.ts';
import { addPublisher } from '../../src/server/trusted/publishers.ts';
import { docsArchive, uploadDocs } from '../helpers/documentation.ts';
import { type Issuer, startIssuer } from '../helpers/issuer.ts';
import { PASSWORD, QUICK_HASH } from '../helpers/pages-site.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { openTestRegistry, TEST_URL, type TestRegistry } from '../helpers/test-registry.ts';

/** A right that is revoked during a request. */
type Revocation =
  | 'token'
  | 'token expiry'
  | 'session'
  | 'session expiry'
  | 'user'
  | 'admin'
  | 'password'
  | 'publisher';

/** A request that changes something, from a new user who may send it. */
interface Change {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** null if the route reads no body. */
  readonly body: Uint8Array | null;
  readonly user: User;
  readonly secret?: string;
  readonly sessionId?: string;
}

/** A route: how to request a change, and which rights can be revoked meanwhile. */
interface Case {
  readonly change: (site: Site) => Promise<Change>;
  readonly revocations: readonly Revocation[];
}

const HOUR_MS = 3_600_000;
const BY_TOKEN = ['token', 'token expiry', 'user', 'admin'] as const;
const BY_SESSION = ['session', 'session expiry', 'user'] as const;
const BY_ADMIN = [...BY_SESSION, 'admin'] as const;

/** Routes that need no right: signing out only ends the sender's own session. */
const HARMLESS = ['POST /sign-out'];

const FOO = '/api/v1/crates/foo';

const CASES: Readonly<Record<string, Case>> = {
  'PUT /api/v1/crates/new': {
    change: (site) =>
      site.byToken('/api/v1/crates/new', publishBody({ name: 'foo', version: '2.0.0' }).bytes),
    revocations: BY_TOKEN,
  },
  'DELETE /api/v1/crates/:crate/:version/yank': {
    change: (site) => site.byToken(`${FOO}/1.0.0/yank`, null),
    revocations: BY_TOKEN,
  },
  'PUT /api/v1/crates/:crate/:version/unyank': {
    change: (site) => site.byToken(`${FOO}/0.1.0/unyank`, null),
    revocations: BY_TOKEN,
  },
  'PUT /api/v1/crates/:crate/:version/docs': {
    change: (site) => site.byToken(`${FOO}/1.0.0/docs`, docsArchive({ 'foo/index.html': 'new' })),
    revocations: BY_TOKEN,
  },
  'DELETE /api/v1/crates/:crate/:version/docs': {
    change: (site) => site.byToken(`${FOO}/1.0.0/docs`, null),
    revocations: BY_TOKEN,
  },
  'PUT /api/v1/crates/:crate/owners': {
    change: (site) => site.byToken(`${FOO}/owners`, json({ users: ['bob'] })),
    revocations: BY_TOKEN,
  },
  'DELETE /api/v1/crates/:crate/owners': {
    change: (site) => site.byToken(`${FOO}/owners`, json({ users: ['alice'] })),
    revocations: BY_TOKEN,
  },
  'PATCH /api/v1/crates/:crate': {
    change: (site) => site.byToken(FOO, json({ crate: { trustpub_only: true } })),
    revocations: BY_TOKEN,
  },
  'POST /api/v1/trusted_publishing/tokens': { change: exchange, revocations: ['publisher', 'user'] },
  'PUT /api/v1/trusted_publishing/tokens': { change: exchange, revocations: ['publisher', 'user'] },
  'DELETE /api/v1/trusted_publishing/tokens': {
    change: (site) => site.byToken('/api/v1/trusted_publishing/tokens', null),
    revocations: ['token', 'token expiry', 'user'],
  },
  'POST /sign-in': { change: signIn, revocations: ['user', 'password'] },
  'POST /me/tokens': {
    change: (site) => site.byForm('/me/tokens', { name: 'ci', scope: 'read', days: '' }),
    revocations: BY_SESSION,
  },
  'POST /me/tokens/:id/revoke': { change: revokeOwn, revocations: BY_SESSION },
  'POST /me/password': {
    change: (site) =>
      site.byForm('/me/password', {
        ...{ old: PASSWORD, new: 'a new password', again: 'a new password' },
      }),
    revocations: BY_SESSION,
  },
  'POST /crates/:name/trusted-only': {
    change: (site) => site.byForm('/crates/foo/trusted-only', { only: 'yes' }),
    revocations: BY_SESSION,
  },
  'POST /crates/:name/settings/yank': {
    change: (site) => site.byForm('/crates/foo/settings/yank', { version: '1.0.0' }),
    revocations: BY_SESSION,
  },
  'POST /crates/:name/settings/unyank': {
    change: (site) => site.byForm('/crates/foo/settings/unyank', { version: '0.1.0' }),
    revocations: BY_SESSION,
  },
  'POST /crates/:name/settings/documentation/remove': {
    change: (site) => site.byForm('/crates/foo/settings/documentation/remove', { version: '1.0.0' }),
    revocations: BY_SESSION,
  },
  'POST /crates/:name/settings/owners': {
    change: (site) => site.byForm('/crates/foo/settings/owners', { login: 'bob' }),
    revocations: BY_SESSION,
  },
  'POST /crates/:name/settings/owners/remove': {
    change: (site) => site.byForm('/crates/foo/settings/owners/remove', { login: 'alice' }),
    revocations: BY_SESSION,
  },
  'POST /crates/:name/settings/publishers': {
    change: (site) =>
      site.byForm('/crates/foo/settings/publishers', {
        issuer: 'https://gitlab.com',
        claims: 'project_id=1',
      }),
    revocations: BY_SESSION,
  },
  'POST /crates/:name/settings/publishers/:id/remove': {
    change: (site) => site.byForm(`/crates/foo/settings/publishers/${site.publisherId}/remove`, {}),
    revocations: BY_SESSION,
  },
  'POST /admin/crates/:name/delete': {
    change: (site) => site.byForm('/admin/crates/foo/delete', { confirm: 'foo' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/crates/:name/:version/delete': {
    change: (site) => site.byForm('/admin/crates/foo/1.0.0/delete', { confirm: 'foo@1.0.0' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/users': {
    change: (site) => site.byForm('/admin/users', { login: 'mallory', admin: 'on' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/users/:login': {
    change: (site) => site.byForm('/admin/users/bob', { name: 'Bob', admin: 'on' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/users/:login/password': {
    change: (site) => site.byForm('/admin/users/bob/password', { password: 'a new password' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/users/:login/password/remove': {
    change: (site) => site.byForm('/admin/users/bob/password/remove', {}),
    revocations: BY_ADMIN,
  },
  'POST /admin/users/:login/tokens/:id/revoke': { change: revokeOfOther, revocations: BY_ADMIN },
  'POST /admin/teams': {
    change: (site) => site.byForm('/admin/teams', { name: 'mallory' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/teams/:name/members': {
    change: (site) => site.byForm('/admin/teams/infra/members', { logins: 'bob' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/teams/:name/members/remove': {
    change: (site) => site.byForm('/admin/teams/infra/members/remove', { login: 'alice' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/teams/:name/delete': {
    change: (site) => site.byForm('/admin/teams/infra/delete', {}),
    revocations: BY_ADMIN,
  },
  'POST /admin/settings': {
    change: (site) => site.byUpload('/admin/settings', { name: 'Mallory' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/settings/badges': {
    change: (site) => site.byForm('/admin/settings/badges', { on: 'on' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/mirror/block': {
    change: (site) => site.byForm('/admin/mirror/block', { name: 'evil', reason: 'malware' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/mirror/unblock': {
    change: (site) => site.byForm('/admin/mirror/unblock', { name: 'blocked', version: '1.0.0' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/mirror/allow': {
    change: (site) => site.byForm('/admin/mirror/allow', { name: 'serde', version: '1.0.0' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/mirror/disallow': {
    change: (site) => site.byForm('/admin/mirror/disallow', { name: 'allowed' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/mirror/reserve': {
    change: (site) => site.byForm('/admin/mirror/reserve', { name: 'acme-*' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/mirror/release': {
    change: (site) => site.byForm('/admin/mirror/release', { name: 'ours' }),
    revocations: BY_ADMIN,
  },
  'POST /admin/publishers': {
    change: (site) =>
      site.byForm('/admin/publishers', {
        ...{ issuer: 'https://ci.example', claims: 'repository=acme/foo', patterns: 'foo', login: 'bob' },
      }),
    revocations: BY_ADMIN,
  },
  'POST /admin/publishers/:id/remove': {
    change: async (site) => site.byForm(`/admin/publishers/${site.publisherId}/remove`, {}),
    revocations: BY_ADMIN,
  },
};

let issuer: Issuer;

beforeAll(async () => {
  issuer = await startIssuer();
});

afterAll(async () => issuer[Symbol.asyncDispose]());

describe('rights that are revoked during a request', () => {
  it('are tested with every route that changes something', async () => {
    await using registry = await openTestRegistry();
    const changing = createApp(registry.context)
      .routes.filter(({ method }) => ['POST', 'PUT', 'DELETE', 'PATCH'].includes(method))
      .map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(changing)].sort()).toEqual([...Object.keys(CASES), ...HARMLESS].sort());
  });

  it.each(Object.entries(CASES))('no longer allow %s', async (route, { change, revocations }) => {
    await using site = await Site.open();
    const method = route.slice(0, route.indexOf(' '));
    for (const revocation of revocations) {
      for (const moment of ['body', 'transaction'] as const) {
        const request = await change(site);
        if (request.body === null && moment === 'body') continue;
        let before = '';
        const revoke = async (): Promise<void> => {
          await site.revoke(request, revocation);
          before = await site.dump();
        };
        const status = await site.send(method, request, { moment, revoke });
        const what = `${revocation} during ${moment}: ${status}`;
        expect(before, `${what}: nothing was revoked`).not.toBe('');
        expect([303, 400, 401, 403, 404, 422], what).toContain(status);
        if (status === 303) expect(site.location, what).toMatch(/^\/sign-in/);
        expect(await site.dump(), what).toBe(before);
      }
    }
    const request = await change(site);
    const before = await site.dump();
    expect([200, 204, 303]).toContain(await site.send(method, request, null));
    expect(await site.dump()).not.toBe(before);
  });
});

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

async function exchange(site: Site): Promise<Change> {
  const user = await site.newUser();
  await addPublisher(site.registry.context, {
    ...{ issuer: issuer.url, claims: [{ name: 'repository', value: user.login }] },
    ...{ cratePatterns: ['foo'], login: user.login, actor: null },
  });
  const now = site.registry.nowMs / 1000;
  const jwt = issuer.sign({
    ...{ aud: new URL(TEST_URL).host, exp: now + 300, nbf: now, iat: now, jti: user.login },
    repository: user.login,
  });
  return { path: '/api/v1/trusted_publishing/tokens', headers: {}, body: json({ jwt }), user };
}

async function signIn(site: Site): Promise<Change> {
  const user = await site.newUser();
  const visitor = randomBytes(24).toString('base64url');
  const fields = { login: user.login, password: PASSWORD };
  return site.form('/sign-in', fields, { user, reader: visitor, cookie: 'visitor' });
}

async function revokeOwn(site: Site): Promise<Change> {
  const request = await site.byForm('/me/tokens/0/revoke', {});
  const { token } = await site.registry.tokenOf(request.user);
  return { ...request, path: `/me/tokens/${token?.id}/revoke` };
}

async function revokeOfOther(site: Site): Promise<Change> {
  const request = await site.byForm('/admin/users/bob/tokens/0/revoke', {});
  const { token } = await site.registry.tokenOf(await site.registry.user('bob'));
  return { ...request, path: `/admin/users/bob/tokens/${token?.id}/revoke` };
}

/** A registry with a crate of Alice's, and with admins who may do everything until a right is revoked. */
class Site {
  readonly registry: TestRegistry;
  publisherId = 0;
  location = '';
  #count = 0;
  readonly #sessions: string[] = [];

  private constructor(registry: TestRegistry) {
    this.registry = registry;
  }

  static async open(): Promise<Site> {
    const registry = await openTestRegistry();
    const site = new Site(registry);
    const alice = await registry.tokenOf(await registry.user('alice'));
    await registry.user('bob');
    const { records } = registry.store;
    await records.createTeam({ name: 'infra', atMs: 1, actor: null });
    await records.changeMembers({ team: 'infra', action: 'add', logins: ['alice'], atMs: 1, actor: null });
    const by = { login: 'alice', atMs: 1 };
    await records.addUpstreamRule({ kind: 'block', name: 'blocked', version: '1.0.0', reason: null }, by);
    await records.addUpstreamRule({ kind: 'allow', name: 'allowed', version: null, reason: null }, by);
    await records.addReservedName({ pattern: 'ours', reason: null, atMs: 1 });
    for (const version of ['0.1.0', '1.0.0'])
      await registry.publish(alice, publishBody({ name: 'foo', version }).bytes);
    await registry.store.records.setYanked({
      ...{ crate: 'foo', version: '0.1.0', isYanked: true, reason: null, atMs: 1, actor: alice },
    });
    await uploadDocs(
      registry.store,
      { crate: 'foo', version: '1.0.0', actor: alice },
      { 'foo/index.html': '' },
    );
    const { id } = await addPublisher(registry.context, {
      ...{ issuer: 'https://other.example', claims: [{ name: 'repository', value: 'acme/foo' }] },
      ...{ cratePatterns: ['foo'], login: 'alice', actor: null },
    });
    site.publisherId = id;
    return site;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.registry[Symbol.asyncDispose]();
  }

  /** Creates an admin with a password, who also owns the crate. */
  async newUser(): Promise<User> {
    const { records } = this.registry.store;
    this.#count += 1;
    const user = await this.registry.user(`user${this.#count}`, true);
    await records.updateUser(user.id, { passwordHash: QUICK_HASH });
    const actor: Actor = { user, token: null };
    await records.changeOwners({ crate: 'foo', action: 'add', logins: [user.login], atMs: 1, actor });
    return user;
  }

  async byToken(path: string, body: Uint8Array | null): Promise<Change> {
    const user = await this.newUser();
    const { secret, hash, prefix } = makeSecret();
    await this.registry.store.records.createToken({
      ...{ userId: user.id, name: 'test', hash, prefix, scopes: TOKEN_SCOPES, cratePatterns: [] },
      ...{
        createdAtMs: this.registry.nowMs,
        expiresAtMs: this.registry.nowMs + HOUR_MS,
        issuer: 'https://ci',
      },
    });
    return { path, headers: { authorization: secret }, body, user, secret };
  }

  async byForm(path: string, fields: Readonly<Record<string, string>>): Promise<Change> {
    const user = await this.newUser();
    const sessionId = randomBytes(32).toString('base64url');
    const createdAtMs = this.registry.nowMs;
    this.#sessions.push(sessionId);
    await this.registry.store.records.createSession(hashOf(sessionId), {
      ...{ userId: user.id, createdAtMs, expiresAtMs: createdAtMs + HOUR_MS },
    });
    return this.form(path, fields, { user, reader: sessionId, cookie: 'session' });
  }

  /** Returns a request as `byForm` does, with the encoding of forms with files. */
  async byUpload(path: string, fields: Readonly<Record<string, string>>): Promise<Change> {
    const request = await this.byForm(path, {});
    const csrf = new URLSearchParams(Buffer.from(request.body ?? '').toString()).get('csrf') ?? '';
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, csrf })) form.set(name, value);
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type') ?? '';
    const headers = { ...request.headers, 'content-type': type };
    return { ...request, headers, body: new Uint8Array(await encoded.arrayBuffer()) };
  }

  async form(
    path: string,
    fields: Readonly<Record<string, string>>,
    {
      user,
      reader,
      cookie,
    }: { readonly user: User; readonly reader: string; readonly cookie: 'session' | 'visitor' },
  ): Promise<Change> {
    const { records } = this.registry.store;
    const csrf = makeFormProof(await records.secret('forms'), reader);
    const signature = sign(await records.secret('cookies'), reader);
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `tsreg-${cookie}=${reader}.${signature}`,
      accept: 'text/html',
    };
    const body = Buffer.from(new URLSearchParams({ ...fields, csrf }).toString());
    return { path, headers, body, user, sessionId: reader };
  }

  async revoke({ user, secret = '', sessionId = '' }: Change, revocation: Revocation): Promise<void> {
    const { records } = this.registry.store;
    const actor = await records.findTokenByHash(hashToken(secret));
    switch (revocation) {
      case 'token':
        return void (await records.revokeToken({ userId: user.id, tokenId: actor?.token.id ?? 0, atMs: 1 }));
      case 'token expiry':
      case 'session expiry':
        this.registry.nowMs += HOUR_MS;
        return;
      case 'session':
        return records.deleteSession(hashOf(sessionId));
      case 'user':
        return records.updateUser(user.id, { isDisabled: true });
      case 'admin':
        return records.updateUser(user.id, { isAdmin: false });
      case 'password':
        return records.updateUser(user.id, { passwordHash: `${QUICK_HASH}x` });
      case 'publisher':
        for (const { id, user: of } of await records.listPublishers())
          if (of.id === user.id) await records.deletePublisher({ id, atMs: 1, actor: null });
    }
  }

  /** Sends a request and revokes rights during its body or before its transaction. Returns the status. */
  async send(
    method: string,
    { path, headers, body }: Change,
    when: { readonly moment: 'body' | 'transaction'; readonly revoke: () => Promise<void> } | null,
  ): Promise<number> {
    const { context } = this.registry;
    const stop = new Error('revoked already');
    let isRevoked = false;
    const revokeOnce = async (moment: 'body' | 'transaction'): Promise<void> => {
      if (when?.moment !== moment || isRevoked) return;
      isRevoked = true;
      await when.revoke();
    };
    type Given = Parameters<(typeof context.records)['authorize']>;
    const records = {
      ...context.records,
      authorize: (...args: Given) =>
        new Proxy(context.records.authorize(...args), {
          get(target, name, receiver) {
            const method: unknown = Reflect.get(target, name, receiver);
            if (typeof method !== 'function') throw stop;
            return async (...given: unknown[]): Promise<unknown> => {
              if (/^(?:publish|set|delete|change|create|update|revoke|add|remove)/.test(String(name)))
                await revokeOnce('transaction');
              return Reflect.apply(method, target, given);
            };
          },
        }),
    };
    const { fetch } = createApp({ ...context, records });
    const parts = body === null ? [] : [body.subarray(0, body.length - 5), body.subarray(body.length - 5)];
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (parts.length === 1) await revokeOnce('body');
          const part = parts.shift();
          if (part === undefined) controller.close();
          else controller.enqueue(part);
        },
      },
      { highWaterMark: 0 },
    );
    const init = { method, headers, ...(body === null ? {} : { body: stream, duplex: 'half' as const }) };
    const answer = await fetch(new Request(`${TEST_URL}${path}`, init), {});
    await answer.arrayBuffer();
    this.location = answer.headers.get('location') ?? '';
    for (const cookie of answer.headers.getSetCookie()) {
      const [, id = ''] = /^tsreg-session=([^.;]+)\./.exec(cookie) ?? [];
      if (id !== '') this.#sessions.push(id);
    }
    return answer.status;
  }

  /** Returns everything that a request could have changed, as text. */
  async dump(): Promise<string> {
    const { records } = this.registry.store;
    const all = { limit: 1000, offset: 0 };
    const { items: users } = await records.listUsers(all);
    const audit = await records.listAudit({}, all);
    return JSON.stringify({
      users,
      hashes: await Promise.all(users.map(({ id }) => records.findPasswordHash(id))),
      tokens: await Promise.all(users.map(async ({ id }) => (await records.listTokens(id)).map(withoutUse))),
      sessions: await Promise.all(this.#sessions.map((id) => records.findSession(hashOf(id)))),
      crate: await records.findCrate('foo'),
      versions: await records.listVersions('foo', all),
      owners: await records.listOwners('foo'),
      publishers: await records.listPublishers(),
      teams: await records.listTeams(all),
      members: (await records.findTeam('infra'))?.members,
      settings: [...(await records.listSettings())].map(([name, value]) => [
        name,
        Buffer.from(value).toString(),
      ]),
      blocked: await records.listUpstreamRules('block', all),
      allowed: await records.listUpstreamRules('allow', all),
      reserved: await records.listReservedNames(),
      audit: audit.items,
    });
  }
}

function withoutUse<T extends { readonly lastUsedAtMs: number | null }>(token: T): T {
  return { ...token, lastUsedAtMs: null };
}

function hashOf(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex');
}
