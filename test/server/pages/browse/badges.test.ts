import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BADGE_HOSTS, type BadgeSites, startBadgeSites } from '../../../helpers/badge-sites.ts';
import { makeMirrorSite } from '../../../helpers/mirror-site.ts';
import {
  makePagesSite,
  type PagesSite,
  type TestBrowser,
  type TestPage,
} from '../../../helpers/pages-site.ts';
import { headerOf, type WireAnswer } from '../../../helpers/recording-server.ts';
import { packFiles } from '../../../helpers/source-crates.ts';

const SETTINGS = '/admin/settings';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const BADGE = 'https://token.example/mug.svg?token=s3cret';
const IMAGE: WireAnswer = { headers: [['Content-Type', 'image/svg+xml;charset=utf-8']], body: SVG };
const MINUTE_MS = 60_000;
const MANY_HOSTS = Array.from({ length: 51 }, (_, index) => `h${index}.example`).join(' ');

let sites: BadgeSites;
let site: PagesSite;
let admin: TestBrowser;

beforeAll(async () => {
  sites = await startBadgeSites();
});
afterAll(() => sites[Symbol.asyncDispose]());

beforeEach(async () => {
  sites.server.restart(() => IMAGE);
  await open({ badgeHosts: BADGE_HOSTS });
});
afterEach(() => site[Symbol.asyncDispose]());

async function open(settings: Parameters<typeof makePagesSite>[0]): Promise<void> {
  site = await makePagesSite(settings, { http: sites.http });
  const owner = await site.addUser('root', { isAdmin: true });
  admin = site.browser();
  await admin.signIn('root');
  const readme = `[![Build](${BADGE})](https://ci.example)`;
  await site.publish(owner, { name: 'mug', version: '1.0.0', readme }, packFiles('mug-1.0.0', {}));
}

async function reopen(settings: Parameters<typeof makePagesSite>[0]): Promise<void> {
  await site[Symbol.asyncDispose]();
  await open(settings);
}

/** Returns the path of the badge on the page of the crate; null for none. */
async function badgePathOf(browser = admin): Promise<string | null> {
  const { text } = await browser.get('/crates/mug');
  return /<img src="(\/badges\/[^"]+)" alt="Build"/.exec(text)?.[1] ?? null;
}

/** Requests the badge on the page of the crate. */
async function askForBadge(browser = admin): Promise<TestPage> {
  return await browser.get((await badgePathOf(browser)) ?? '/no-badge');
}

describe('a badge in a readme', () => {
  it('is fetched by the server, and sites learn nothing about readers', async () => {
    const { status, headers, text } = await site.browser().get((await badgePathOf()) ?? '', {
      referer: 'http://x/crates/mug',
      cookie: 'a=b',
      'x-forwarded-for': '192.0.2.1',
    });
    expect([status, text]).toEqual([200, SVG]);
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(headers.get('cache-control')).toBe('private, max-age=600');
    const [request] = sites.server.requests;
    expect([request?.method, request?.target]).toEqual(['GET', BADGE]);
    expect(request?.headers.map(([name]) => name.toLowerCase()).sort()).toEqual([
      'accept',
      'accept-encoding',
      'host',
      'user-agent',
    ]);
    if (request !== undefined) expect(headerOf(request, 'user-agent')).toBe('tsreg-test');
  });

  it('is fetched once for all readers, and again after ten minutes', async () => {
    const responses = await Promise.all([askForBadge(), askForBadge(), askForBadge(site.browser())]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    site.nowMs += 10 * MINUTE_MS - 1;
    await askForBadge();
    expect(sites.server.requests).toHaveLength(1);
    site.nowMs += 1;
    await askForBadge();
    expect(sites.server.requests).toHaveLength(2);
  });

  it('that cannot be fetched is not there for a minute, and its query is not in the log', async () => {
    sites.server.restart(() => ({ status: 500 }));
    expect(await askForBadge()).toMatchObject({ status: 404 });
    sites.server.restart(() => IMAGE);
    site.nowMs += MINUTE_MS - 1;
    const { status, headers } = await askForBadge();
    expect([status, headers.get('cache-control')]).toEqual([404, 'private, max-age=60']);
    site.nowMs += 1;
    expect((await askForBadge()).status).toBe(200);
    expect(site.logged).toEqual([
      {
        event: 'badge-not-fetched',
        values: { url: 'https://token.example/mug.svg', reason: 'it responded with status 500' },
      },
    ]);
  });

  it.each<readonly [string, WireAnswer, string]>([
    ['is a page', { headers: [['Content-Type', 'text/html']], body: SVG }, 'it is not an image'],
    ['has no type', { body: SVG }, 'it is not an image'],
    ['is large', { ...IMAGE, body: 'x'.repeat(64 * 1024 + 1) }, 'Exceeded'],
    [
      'redirects to another site',
      { status: 302, headers: [['Location', 'https://static.crates.io/x.svg']] },
      'it redirects to an address that is not in the list of badges',
    ],
    [
      'redirects to a private address',
      { status: 302, headers: [['Location', 'https://127.0.0.1/x.svg']] },
      'it redirects to an address that is not in the list of badges',
    ],
    [
      'redirects to HTTP',
      { status: 307, headers: [['Location', 'http://token.example/x.svg']] },
      'it redirects to an address that is not in the list of badges',
    ],
    ['redirects for ever', { status: 301, headers: [['Location', '?x']] }, 'it redirects more than 3 times'],
  ])('is not shown if it %s', async (_, answer, reason) => {
    sites.server.restart(() => answer);
    expect((await askForBadge()).status).toBe(404);
    expect(JSON.stringify(site.logged)).toContain(reason);
    expect(new Set(sites.server.requests.map(({ target }) => new URL(target).origin))).toEqual(
      new Set(['https://token.example']),
    );
  });

  it('may redirect to another site of the list', async () => {
    sites.server.restart(({ target }) =>
      target.startsWith('https://crates.io/')
        ? IMAGE
        : { status: 302, headers: [['Location', 'https://crates.io/x.svg']] },
    );
    expect(await askForBadge()).toMatchObject({ status: 200, text: SVG });
  });

  it('is not shown if its site takes longer than five seconds', async () => {
    sites.server.restart(() => ({ ...IMAGE, delayMs: 60_000 }));
    expect((await askForBadge()).status).toBe(404);
    expect(JSON.stringify(site.logged)).toContain('it takes too long');
  }, 30_000);

  it('does not wait for those of a slow site', async () => {
    sites.server.restart(({ target }) =>
      target.startsWith('https://crates.io/') ? IMAGE : { ...IMAGE, delayMs: 1000 },
    );
    const slow = Array.from({ length: 8 }, (_, index) => `![slow](https://token.example/${index}.svg)`);
    await site.publish(await site.addUser('mira'), {
      ...{ name: 'jug', version: '1.0.0' },
      readme: [...slow, '![quick](https://crates.io/x.svg)'].join('\n'),
    });
    const { text } = await admin.get('/crates/jug');
    const badges = [...text.matchAll(/<img src="(\/badges\/[^"]+)" alt="([a-z]+)"/g)];
    const arrived: string[] = [];
    await Promise.all(
      badges.map(async ([, path = '', name = '']) => {
        expect((await admin.get(path)).status).toBe(200);
        arrived.push(name);
      }),
    );
    expect([arrived.length, arrived[0]]).toEqual([9, 'quick']);
  });

  it('cannot be replaced by another address', async () => {
    const path = (await badgePathOf()) ?? '';
    for (const wrong of [
      path.replace('mug', 'jug'),
      path.replace('token.example', 'crates.io'),
      path.replace(/address=.*/, 'address='),
      path.replace(/\?.*/, ''),
      '/badges/x?address=https%3A%2F%2Ftoken.example%2F',
    ]) {
      expect((await admin.get(wrong)).status).toBe(404);
    }
    expect(sites.server.requests).toEqual([]);
  });

  it('is also in the readmes of crates that are cached from the upstream', async () => {
    await using mirror = await makeMirrorSite({ server: { badgeHosts: BADGE_HOSTS } });
    const files = { 'src/lib.rs': '', 'README.md': `![Build](${BADGE})` };
    const extra = 'readme = "README.md"';
    await mirror.cacheCrate([{ name: 'loud', version: '1.0.0', files, extra }], { archives: ['1.0.0'] });
    expect((await mirror.browser().get('/crates/loud')).text).toContain('<img src="/badges/');
  });

  it('needs a sign-in where pages do', async () => {
    await reopen({ badgeHosts: BADGE_HOSTS, authRequired: true });
    const path = (await badgePathOf()) ?? '';
    expect((await site.browser().get(path)).status).toBe(303);
    expect(sites.server.requests).toEqual([]);
    expect((await admin.get(path)).status).toBe(200);
  });
});

describe('the setting of badges', () => {
  const save = (fields: Record<string, string>): Promise<TestPage> =>
    admin.submit(SETTINGS, `${SETTINGS}/badges`, fields);

  async function details(): Promise<readonly (string | null)[]> {
    const { items } = await site.store.records.listAudit(
      { action: 'change-settings' },
      { limit: 20, offset: 0 },
    );
    return items.map(({ detail }) => detail).toReversed();
  }

  beforeEach(() => reopen({}));

  it('is off at first, and takes effect at once, also for readmes that were shown before', async () => {
    const { text } = await admin.get('/crates/mug');
    expect(text).not.toContain('/badges/');
    expect(text).toContain('<span class="image">Build</span>');
    const saved = await save({ on: 'on', hosts: 'Token.example, crates.io\n' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${SETTINGS}?done=badges`]);
    expect((await admin.get(`${SETTINGS}?done=badges`)).text).toContain('Badges saved.');
    const path = (await badgePathOf()) ?? '';
    expect((await admin.get(path)).status).toBe(200);
    await save({ on: 'on', hosts: 'crates.io' });
    expect(await badgePathOf()).toBe(null);
    expect((await admin.get(path)).status).toBe(404);
    await save({ hosts: 'crates.io' });
    expect(await badgePathOf()).toBe(null);
    expect(await details()).toEqual([
      'badges in readmes: from token.example, crates.io',
      'badges in readmes: from crates.io',
      'badges in readmes: off',
    ]);
  });

  it('shows what is stored, and takes nothing that did not change', async () => {
    expect((await admin.get(SETTINGS)).text).toMatch(/name="on" value="on">/);
    await save({ on: 'on', hosts: '' });
    await save({ on: 'on', hosts: ' \n' });
    const { text } = await admin.get(SETTINGS);
    expect(text).toMatch(/name="on" value="on" checked>/);
    expect(text).toMatch(/<textarea id="badge-hosts"[^>]*>\n<\/textarea>/);
    expect(text).toContain('<code>img.shields.io</code>, <code>badgen.net</code>');
    expect(await details()).toEqual(['badges in readmes: from the default sites']);
  });

  it.each([
    'https://img.shields.io/',
    'localhost',
    '10.0.0.1',
    'a.b\u202e',
    MANY_HOSTS,
    'a.example,'.repeat(401),
  ])('refuses `%s`, and keeps what was typed', async (hosts) => {
    const { status, text } = await save({ on: 'on', hosts });
    expect(status).toBe(422);
    expect(text).toContain('Nothing was saved: see below.');
    expect(text).toMatch(/id="badge-hosts-problem">Use names such as img\.shields\.io/);
    expect(text).toContain(`${hosts}</textarea>`);
    expect(await details()).toEqual([]);
  });

  it('belongs to admins', async () => {
    await site.addUser('mira');
    const mira = site.browser();
    await mira.signIn('mira');
    expect((await mira.submit('/me', `${SETTINGS}/badges`, { on: 'on' })).status).toBe(403);
    expect(await details()).toEqual([]);
  });

  it('has no effect if flags decide', async () => {
    await reopen({ badgeHosts: BADGE_HOSTS });
    const { text } = await admin.get(SETTINGS);
    expect(text).toContain('It shows badges of <code>token.example</code>, <code>crates.io</code>.');
    expect(text).not.toContain('name="hosts"');
    expect((await save({ hosts: '' })).status).toBe(303);
    expect(await details()).toEqual([]);
    await reopen({ badgeHosts: [] });
    expect((await admin.get(SETTINGS)).text).toContain('<code>--offline</code>');
    expect(await badgePathOf()).toBe(null);
  });
});
