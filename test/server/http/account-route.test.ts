import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { hashToken } from '../../../src/server/auth/tokens.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

const SECRET = 'tsreg_the-secret-of-this-test';

let registry: TestRegistry;

beforeAll(async () => {
  registry = await openTestRegistry();
  const user = await registry.user('alice');
  await registry.publish(await registry.tokenOf(user), publishBody({ name: 'hers', version: '1.0.0' }).bytes);
  await registry.store.records.createToken({
    ...{ userId: user.id, name: 'laptop', hash: hashToken(SECRET), prefix: 'tsreg_the-' },
    ...{ scopes: ['yank'], cratePatterns: ['he*'], createdAtMs: 1, expiresAtMs: 4e12 },
  });
});

afterAll(() => registry[Symbol.asyncDispose]());

async function ask(path: string, token: string | null): Promise<Response> {
  const headers = token === null ? {} : { authorization: token };
  return await createApp(registry.context).fetch(new Request(`http://x${path}`, { headers }), {});
}

describe('/api/v1/me', () => {
  it('returns the user of the token, their crates, and the limits of the token', async () => {
    const answer = await ask('/api/v1/me', SECRET);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await answer.json()).toEqual({
      user: { id: expect.any(Number), login: 'alice', name: null, is_admin: false },
      owned_crates: [{ id: expect.any(Number), name: 'hers' }],
      token: {
        ...{ name: 'laptop', scopes: ['yank'], crates: ['he*'] },
        expires_at: new Date(4e12).toISOString(),
      },
    });
  });

  it('requires a valid token', async () => {
    expect([(await ask('/api/v1/me', null)).status, (await ask('/api/v1/me', 'no')).status]).toEqual([
      401, 403,
    ]);
  });
});

describe('the sort order of a search', () => {
  beforeAll(async () => {
    const actor = await registry.tokenOf(await registry.user('bob'));
    for (const [name, version] of [
      ['pear', '1.0.0'],
      ['apple', '1.0.0'],
      ['fig', '1.0.0'],
      ['pear', '1.1.0'],
    ] as const) {
      await registry.publish(actor, publishBody({ name, version }, { keywords: ['fruit'] }).bytes);
    }
    await registry.store.records.addDownloads([{ crate: 'fig', version: '1.0.0', count: 7 }], 1);
  });

  it.each([
    ['alpha', ['apple', 'fig', 'pear']],
    ['downloads', ['fig', 'apple', 'pear']],
    ['recent-downloads', ['fig', 'apple', 'pear']],
    ['recent-updates', ['pear', 'fig', 'apple']],
    ['new', ['fig', 'apple', 'pear']],
    ['relevance', ['fig', 'apple', 'pear']],
  ])('may be %s', async (sort, expected) => {
    const answer = await ask(`/api/v1/crates?q=fruit&sort=${sort}`, null);
    const { crates }: { crates: { name: string }[] } = JSON.parse(await answer.text());
    expect(crates.map(({ name }) => name)).toEqual(expected);
  });

  it.each(['toString', '', 'Alpha'])('cannot be `%s`', async (sort) => {
    expect((await ask(`/api/v1/crates?q=fruit&sort=${sort}`, null)).status).toBe(400);
  });
});
