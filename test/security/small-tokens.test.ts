import { expect, it } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { makeSecret } from '../../src/server/auth/tokens.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { openTestRegistry } from '../helpers/test-registry.ts';

it('refused changes with a read token do not count towards the limit of its user', async () => {
  await using registry = await openTestRegistry();
  const { settings, ...context } = registry.context;
  const limits = { ...settings.limits, changesPerMinute: 1 };
  const app = createApp({ ...context, settings: { ...settings, limits } });
  const { id: userId } = await registry.user('alice');
  const tokenFor = async (scope: 'read' | 'publish-new'): Promise<string> => {
    const { secret, hash, prefix } = makeSecret();
    const times = { createdAtMs: registry.nowMs, expiresAtMs: null };
    const rights = { scopes: [scope], cratePatterns: [] };
    await registry.store.records.createToken({ userId, name: scope, hash, prefix, ...rights, ...times });
    return secret;
  };
  const ask = async (authorization: string, method: string, path: string): Promise<number> => {
    const body = path === 'new' ? publishBody({ name: 'foo', version: '1.0.0' }).bytes : null;
    const request = new Request(`http://x/api/v1/crates/${path}`, {
      method,
      headers: { authorization },
      body,
    });
    return (await app.fetch(request, {})).status;
  };
  const small = await tokenFor('read');
  for (const path of ['new', 'foo/1.0.0/unyank', 'foo/owners'])
    expect(await ask(small, 'PUT', path)).toBe(403);
  const full = await tokenFor('publish-new');
  expect(await ask(full, 'PUT', 'new')).toBe(200);
  expect(await ask(full, 'PUT', 'new')).toBe(429);
});
