import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { hashToken, TOKEN_SCOPES } from '../../../src/server/auth/tokens.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

let registry: TestRegistry;

beforeAll(async () => {
  registry = await openTestRegistry();
  const user = await registry.user('alice');
  await registry.publish(await registry.tokenOf(user), publishBody({ name: 'hers', version: '1.0.0' }).bytes);
  await registry.store.records.createToken({
    ...{ userId: user.id, name: 'test', hash: hashToken('secret'), prefix: 'secr', scopes: TOKEN_SCOPES },
    ...{ cratePatterns: [], createdAtMs: 1, expiresAtMs: null },
  });
});

afterAll(() => registry[Symbol.asyncDispose]());

const OWNERS = ['PUT', '/api/v1/crates/hers/owners'] as const;
const SETTINGS = ['PATCH', '/api/v1/crates/hers'] as const;
const TOKENS = ['POST', '/api/v1/trusted_publishing/tokens'] as const;
const USERS = 'the body must be `{"users":[…]}` with logins';
const TRUSTED_ONLY = 'the body must be `{"crate":{"trustpub_only":true}}` or false';
const JWT = 'the body must be `{"jwt":"…"}`';

it.each<[readonly [string, string], string, string]>([
  [OWNERS, '{', 'the body is not valid JSON'],
  [OWNERS, '[]', USERS],
  [OWNERS, '{"users":null}', USERS],
  [OWNERS, '{"users":["bob",1]}', USERS],
  [OWNERS, '{"users":[]}', 'no logins were given'],
  [SETTINGS, '', 'the body is not valid JSON'],
  [SETTINGS, '{"crate":true}', TRUSTED_ONLY],
  [SETTINGS, '{"crate":{"trustpub_only":null}}', TRUSTED_ONLY],
  [TOKENS, 'jwt', 'the body is not valid JSON'],
  [TOKENS, 'null', JWT],
  [TOKENS, '{"jwt":{}}', JWT],
])('%s refuses the body %j', async ([method, path], body, detail) => {
  const request = new Request(`http://x${path}`, { method, body, headers: { authorization: 'secret' } });
  const response = await createApp(registry.context).fetch(request, {});
  expect([response.status, await response.json()]).toEqual([400, { errors: [{ detail }] }]);
});
