import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp, type ServerApp } from '../../src/server/app.ts';
import type { TokenScope } from '../../src/server/store/values.ts';
import { makeSecret } from '../../src/server/auth/tokens.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../helpers/test-registry.ts';

let registry: TestRegistry;
let open: ServerApp;
let closed: ServerApp;
beforeEach(async () => {
  registry = await openTestRegistry();
  open = createApp(registry.context);
  closed = createApp({ ...registry.context, settings: { ...registry.context.settings, authRequired: true } });
  const alice = await registry.tokenOf(await registry.user('alice'));
  const body = publishBody({ name: 'secret', version: '1.0.0' }).bytes;
  expect(await registry.publish(alice, body)).toMatchObject({ kind: 'published' });
});
afterEach(() => registry[Symbol.asyncDispose]());

/** Creates a token of a user who owns no crate. */
async function tokenFor(...scopes: readonly TokenScope[]): Promise<string> {
  const { secret, hash, prefix } = makeSecret();
  const { id: userId } = await registry.user('eve');
  const times = { createdAtMs: registry.nowMs, expiresAtMs: null };
  await registry.store.records.createToken({
    ...{ userId, name: 'test', hash, prefix, scopes, cratePatterns: [], ...times },
  });
  return secret;
}

const CHANGES = [
  ['PUT', 'owners', 'owners', '{"users":["eve"]}'],
  ['DELETE', 'owners', 'owners', '{"users":["eve"]}'],
  ['PATCH', '', 'owners', '{"crate":{"trustpub_only":true}}'],
  ['DELETE', '1.0.0/yank', 'yank', null],
  ['PUT', '1.0.0/unyank', 'yank', null],
] as const;

async function answerOf(
  app: ServerApp,
  {
    method,
    path,
    token,
    body,
  }: { method: string; path: string; token: string; body: string | Uint8Array<ArrayBuffer> | null },
): Promise<readonly [number, string]> {
  const request = new Request(`http://x/api/v1/crates/${path}`, {
    method,
    headers: { authorization: token },
    ...(body === null ? {} : { body }),
  });
  const response = await app.fetch(request, {});
  return [response.status, await response.text()];
}

it.each(CHANGES)(
  '%s %s hides from clients without read access whether a crate exists',
  async (method, rest, scope, body) => {
    const token = await tokenFor(scope);
    const [there, absent] = await Promise.all(
      ['secret', 'absent'].map((name) =>
        answerOf(closed, { method, path: `${name}/${rest}`.replace(/\/$/, ''), token, body }),
      ),
    );
    expect(there?.[0]).toBe(403);
    expect(absent).toEqual(there);
  },
);

it.each(CHANGES)(
  '%s %s reports a missing crate to clients with read access',
  async (method, rest, scope, body) => {
    const ask = (app: ServerApp, token: string): Promise<readonly [number, string]> =>
      answerOf(app, { method, path: `absent/${rest}`.replace(/\/$/, ''), token, body });
    const expected = [404, expect.stringContaining('crate `absent` does not exist')];
    expect(await ask(open, await tokenFor(scope))).toEqual(expected);
    expect(await ask(closed, await tokenFor(scope, 'read'))).toEqual(expected);
  },
);

it('a publish with `publish-update` reveals whether a crate exists only with read access', async () => {
  const publish = (token: string, name: string, query = ''): Promise<readonly [number, string]> => {
    const body = new Uint8Array(publishBody({ name, version: '2.0.0' }).bytes);
    return answerOf(closed, { method: 'PUT', path: `new${query}`, token, body });
  };
  const token = await tokenFor('publish-update');
  for (const query of ['', '?dry_run=true']) {
    const [status, there] = await publish(token, 'secret', query);
    const absent = await publish(token, 'absent', query);
    expect([status, there.replace('secret', 'absent')]).toEqual(absent);
    expect(status).toBe(403);
  }
  expect(await publish(await tokenFor('read', 'publish-update'), 'secret')).toEqual([
    403,
    expect.stringContaining('this crate exists'),
  ]);
});

it('owners and downloads require read access', async () => {
  const token = await tokenFor('owners', 'yank', 'publish-new', 'publish-update');
  for (const path of ['secret/owners', 'absent/owners', 'secret/1.0.0/download']) {
    expect((await answerOf(closed, { method: 'GET', path, token, body: null }))[0], path).toBe(403);
  }
});
