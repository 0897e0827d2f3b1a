import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../../src/server/app.ts';
import { hashToken } from '../../../../src/server/auth/tokens.ts';
import { drawBadge } from '../../../../src/server/http/badges/badge-svg.ts';
import { textWidth } from '../../../../src/server/http/badges/text-width.ts';
import type { ServerSettings } from '../../../../src/server/server-context.ts';
import { publishBody } from '../../../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../../../helpers/test-registry.ts';

const SECRET = 'tsreg_the-secret-of-this-test';

let registry: TestRegistry;

beforeAll(async () => {
  registry = await openTestRegistry();
  const user = await registry.user('alice');
  const actor = await registry.tokenOf(user);
  await registry.store.records.createToken({
    ...{ userId: user.id, name: 'laptop', hash: hashToken(SECRET), prefix: 'tsreg_the-' },
    ...{ scopes: ['read'], cratePatterns: [], createdAtMs: 1, expiresAtMs: null },
  });
  for (const [name, version] of [
    ['tide-pool', '1.2.0'],
    ['tide-pool', '2.0.0-rc.1'],
    ['early', '0.1.0-alpha.1'],
    ['gone', '1.0.0'],
  ] as const) {
    await registry.publish(actor, publishBody({ name, version }).bytes);
  }
  const yank = { crate: 'gone', version: '1.0.0', isYanked: true, reason: null, atMs: registry.nowMs, actor };
  await registry.store.records.setYanked(yank);
  await registry.store.records.addDownloads([{ crate: 'tide-pool', version: '1.2.0', count: 1_234_567 }], 1);
});

afterAll(() => registry[Symbol.asyncDispose]());

async function ask(
  path: string,
  headers: Record<string, string> = {},
  more: Partial<ServerSettings> = {},
): Promise<Response> {
  const settings = { ...registry.context.settings, ...more };
  const app = createApp({ ...registry.context, settings });
  return await app.fetch(new Request(`http://127.0.0.1${path}`, { headers }), {});
}

describe('a badge', () => {
  it.each([
    ['tide_pool/version', 'tide-pool: v1.2.0', '#1f6fb2'],
    ['tide-pool/downloads', 'downloads: 1.2M', '#1f6fb2'],
    ['early/version', 'early: v0.1.0-alpha.1', '#a34a00'],
    ['gone/version', 'gone: yanked', '#5c6470'],
    ['gone/downloads', 'downloads: 0', '#1f6fb2'],
  ])('%s says `%s`', async (path, title, colour) => {
    const answer = await ask(`/badges/${path}.svg`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
    ]);
    const svg = await answer.text();
    expect(svg).toContain(`role="img" aria-label="${title}"><title>${title}</title>`);
    expect(svg).toContain(`fill="${colour}"`);
  });

  it.each(['version', 'downloads'])('of an unknown crate is grey, with the status 404 (%s)', async (kind) => {
    const answer = await ask(`/badges/${encodeURIComponent('<b>')}/${kind}.svg`, { 'if-none-match': '*' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'image/svg+xml; charset=utf-8',
    ]);
    expect(await answer.text()).toContain('<title>crate: not found</title>');
  });

  it('may be cached for five minutes, and has an ETag that changes with it', async () => {
    const { headers } = await ask('/badges/tide-pool/version.svg');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    const etag = headers.get('etag') ?? '';
    const again = await ask('/badges/tide-pool/version.svg', { 'if-none-match': `"x", ${etag}` });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await ask('/badges/early/version.svg', { 'if-none-match': etag })).status).toBe(200);
  });

  it('of a private registry needs a token, and only the client may cache it', async () => {
    const path = '/badges/tide-pool/version.svg';
    expect((await ask(path, {}, { authRequired: true })).status).toBe(401);
    const { headers } = await ask(path, { authorization: SECRET }, { authRequired: true });
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      'private, max-age=300',
      'Authorization',
    ]);
  });
});

describe('the image', () => {
  it('escapes its texts', () => {
    const svg = drawBadge({ label: '<&">', value: 'v1', colour: 'blue' });
    expect(svg).toContain('<title>&lt;&amp;&quot;&gt;: v1</title>');
    expect(svg).not.toContain('<&');
  });

  it('is as wide as both texts and their padding', () => {
    expect(drawBadge({ label: 'WWW', value: 'iii', colour: 'grey' })).toMatch(
      new RegExp(
        `^<svg [^>]*width="${Math.ceil(textWidth('WWW', 11)) + Math.ceil(textWidth('iii', 11)) + 24}"`,
      ),
    );
    expect(textWidth('WWW', 10)).toBeCloseTo(29.67);
    expect(textWidth('~é', 1000)).toBe(1818);
  });
});
