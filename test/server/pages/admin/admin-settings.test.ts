import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Hono } from 'hono';
import type { HttpEnv } from '../../../../src/server/http/http-env.ts';
import { HealthCheck } from '../../../../src/server/http/health-check.ts';
import { pagesApp } from '../../../../src/server/pages/pages-app.ts';
import {
  makePagesSite,
  proofIn,
  TestBrowser,
  type PagesSite,
  type TestPage,
} from '../../../helpers/pages-site.ts';
import { TEST_IDENTITY } from '../../../helpers/test-identity.ts';

const PATH = '/admin/settings';
const PNG = Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

let site: PagesSite;
let admin: TestBrowser;

beforeEach(async () => {
  site = await makePagesSite();
  await site.addUser('root', { isAdmin: true });
  admin = await signedIn(site);
});
afterEach(() => site[Symbol.asyncDispose]());

async function signedIn(on: PagesSite, app = on.app): Promise<TestBrowser> {
  const browser = new TestBrowser(app, on.context.settings.baseUrl);
  await browser.signIn('root');
  return browser;
}

function save(fields: Readonly<Record<string, string | Blob>>, browser = admin): Promise<TestPage> {
  return browser.upload(PATH, PATH, fields);
}

async function details(on = site): Promise<readonly (string | null)[]> {
  const filter = { action: 'change-settings' } as const;
  const { items } = await on.store.records.listAudit(filter, { limit: 20, offset: 0 });
  return items.map(({ detail }) => detail).toReversed();
}

/** Returns the response for the image in the header of the start page. */
async function logoOf(browser = site.browser(), app = site.app): Promise<Response> {
  const { text } = await browser.get('/');
  const [, address = ''] = /<a class="brand" href="\/"><img src="([^"]+)"/.exec(text) ?? [];
  return app.request(`${site.context.settings.baseUrl}${address}`, {}, {});
}

/** Returns the app of another server of the same registry. */
function otherServer(on: PagesSite): Hono<HttpEnv> {
  return new Hono<HttpEnv>().route('/', pagesApp(on.context, new HealthCheck(on.context)));
}

describe('the settings', () => {
  it('change the site at once, each with an audit entry', async () => {
    const saved = await save({
      ...{ name: ' A&B crates ', 'registry-name': 'acme', accent: '#CC0000' },
      welcome: '## Hello\r\n<script>alert(1)</script>\r\n\r\n**Ask** us.',
      logo: new Blob([PNG]),
    });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${PATH}?done=saved`]);
    expect((await admin.get(`${PATH}?done=saved`)).text).toContain('Settings saved.');
    const { text } = await site.browser().get('/');
    expect(text).toContain('<title>A&amp;B crates</title>');
    expect(text).toContain('[registries.acme]');
    expect(text).toContain('<strong>Ask</strong> us.');
    expect(text).not.toContain('alert(1)</script>');
    const logo = await logoOf();
    expect(logo.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await logo.arrayBuffer())).toEqual(PNG);
    const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const css = await (
      await site.app.request(`${site.context.settings.baseUrl}${stylesheet}`, {}, {})
    ).text();
    expect(css).toContain('--accent: #cc0000');
    expect((await site.browser().get('/feed.atom')).text).toContain('A&amp;B crates');
    expect(await details()).toEqual([
      'name of the website: A&B crates',
      'name of the registry in examples: acme',
      'colour: #cc0000',
      'welcome text changed',
      'logo: PNG image of 13 B',
    ]);
    expect((await admin.get('/admin/audit')).text).toContain('changed the settings of the website');
  });

  it('show what is stored, and take nothing that did not change', async () => {
    await save({ name: 'Acme', accent: '#0f766e', welcome: 'One\r\nTwo\r\n', logo: new Blob([PNG]) });
    const before = await details();
    const { text } = await admin.get(PATH);
    expect(text).toContain('name="name" value="Acme" placeholder="Crate registry"');
    expect(text).toContain('name="registry-name" value="" placeholder="mine"');
    expect(text).toContain('name="accent" value="#0f766e" placeholder="#3451b2"');
    expect(text).toMatch(/<textarea[^>]*>\nOne\nTwo<\/textarea>/);
    await save({ name: 'Acme', accent: '#0F766E', welcome: 'One\nTwo', logo: new Blob([PNG]) });
    await save({ name: 'Acme', accent: '#0f766e', welcome: 'One\nTwo', logo: new Blob([]) });
    expect(await details()).toEqual(before);
  });

  it('return to the default values if fields are empty', async () => {
    await save({ name: 'Acme', 'registry-name': 'acme', welcome: 'Hello', logo: new Blob([SVG]) });
    expect((await admin.get(PATH)).text).toContain('Remove the logo');
    await save({ name: '', 'registry-name': '', accent: '', welcome: ' ', 'remove-logo': 'on' });
    const { text } = await site.browser().get('/');
    expect(text).toContain('<title>Crate registry</title>');
    expect(text).toContain('[registries.mine]');
    expect(text).not.toContain('Hello');
    expect(await (await logoOf()).text()).toContain('>C</text>');
    expect((await details()).slice(4)).toEqual([
      'name of the website: default',
      'name of the registry in examples: default',
      'welcome text removed',
      'logo removed',
    ]);
    expect((await admin.get(PATH)).text).not.toContain('Remove the logo');
  });

  it.each([
    ['name', 'x'.repeat(61), 'Use at most 60 characters'],
    ['name', 'a\u202eb', 'all of them visible'],
    ['registry-name', 'crates-io', 'and not “crates-io”'],
    ['registry-name', 'a b', 'Use at most 64 ASCII letters'],
    ['accent', 'teal', 'Use a colour such as #3451b2.'],
    ['welcome', 'x'.repeat(64 * 1024 + 1), 'Use at most 64 KiB.'],
    ['logo', new Blob(['<html></html>']), 'Use an SVG, PNG, WebP or JPEG image of at most 256 KiB.'],
    ['logo', new Blob([PNG, 'x'.repeat(256 * 1024)]), 'Use an SVG, PNG, WebP or JPEG image'],
  ])('with a wrong %s are refused as a whole, and keep what was typed', async (part, value, problem) => {
    const fields = { name: 'Other name', welcome: 'Typed', [part]: value };
    const { status, text } = await save(fields);
    expect(status).toBe(422);
    expect(text).toContain('Nothing was saved');
    expect(text).toMatch(new RegExp(`id="${part}-problem">[^<]*${problem.replaceAll('.', '\\.')}`));
    expect(text).toMatch(
      new RegExp(`id="${part}"[^>]*aria-describedby="${part}-problem ${part}-hint" aria-invalid="true"`),
    );
    if (part !== 'name') expect(text).toContain('value="Other name"');
    if (part !== 'welcome') expect(text).toContain('Typed</textarea>');
    expect((await site.store.records.listSettings()).size).toBe(0);
    expect(await details()).toEqual([]);
  });

  it('are escaped in their form', async () => {
    await save({ welcome: '</textarea><script>alert(1)</script>', name: '"><img src=x>' });
    const { text } = await admin.get(PATH);
    expect(text).toContain('&lt;/textarea&gt;&lt;script&gt;');
    expect(text).toContain('value="&quot;&gt;&lt;img src=x&gt;"');
  });
});

describe('a form with files', () => {
  it('is refused without a proof, from another site and with another encoding', async () => {
    const form = new FormData();
    form.set('name', 'Mallory');
    const send = async (fields: FormData, headers: Record<string, string>): Promise<number> => {
      const body = new Response(fields);
      const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const type = body.headers.get('content-type') ?? '';
      const answer = await site.app.request(
        `${site.context.settings.baseUrl}${PATH}`,
        {
          method: 'POST',
          headers: { accept: 'text/html', host: '127.0.0.1:7878', cookie, 'content-type': type, ...headers },
          body: await body.arrayBuffer(),
        },
        {},
      );
      return answer.status;
    };
    expect(await send(form, {})).toBe(403);
    form.set('csrf', 'x');
    expect(await send(form, {})).toBe(403);
    form.set('csrf', new Blob([proofIn((await admin.get(PATH)).text)]));
    expect(await send(form, {})).toBe(403);
    form.set('csrf', proofIn((await admin.get(PATH)).text));
    expect(await send(form, { 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await send(form, { 'content-type': 'text/plain' })).toBe(400);
    expect(await send(form, { 'content-type': 'multipart/form-data; boundary=other' })).toBe(400);
    expect((await site.store.records.listSettings()).size).toBe(0);
    expect(await send(form, {})).toBe(303);
    expect((await site.store.records.listSettings()).size).toBe(1);
    form.set('logo', new Blob(['x'.repeat(1024 * 1024)]));
    expect(await send(form, {})).toBe(413);
  });

  it('with the encoding of other forms is refused', async () => {
    expect((await admin.submit(PATH, PATH, { name: 'Mallory' })).status).toBe(400);
  });

  it('is only for admins', async () => {
    await site.addUser('mira');
    const user = site.browser();
    await user.signIn('mira');
    expect((await user.upload('/me', PATH, { name: 'Mallory' })).status).toBe(403);
    const stranger = await site.browser().upload('/sign-in', PATH, { name: 'Mallory' });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/sign-in']);
    expect((await site.store.records.listSettings()).size).toBe(0);
  });
});

describe('flags', () => {
  it('take precedence over settings, which the page then shows and does not change', async () => {
    const identity = { ...TEST_IDENTITY, siteName: 'From flag', welcomeHtml: '<p>Flagged</p>' };
    const fixedIdentity = new Set(['name', 'welcome', 'logo'] as const);
    await using fixed = await makePagesSite({ identity, fixedIdentity });
    await fixed.addUser('root', { isAdmin: true });
    const stored = [
      { name: 'name', value: Buffer.from('Stored'), detail: '' },
      { name: 'logo', value: Buffer.from(PNG), detail: '' },
    ];
    await fixed.store.records.changeSettings(stored, { login: 'root', atMs: 1 });
    const browser = await signedIn(fixed);
    const { text } = await browser.get(PATH);
    expect(text).toContain('<title>Settings · From flag</title>');
    expect(text).toMatch(/id="name"[^>]*value="From flag"[^>]* disabled/);
    expect(text).toContain('The flag <code>--name</code> of this server sets this.');
    expect(text).toMatch(/<textarea id="welcome"[^>]* disabled/);
    expect(text).toMatch(/<input id="logo"[^>]* disabled/);
    expect(text).not.toContain('Remove the logo');
    expect(text).not.toMatch(/id="accent"[^>]* disabled/);
    const fields = { name: 'Other', welcome: 'Other', 'remove-logo': 'on', accent: '#0f766e' };
    expect((await save(fields, browser)).status).toBe(303);
    expect(await details(fixed)).toEqual(['', '', 'colour: #0f766e']);
    const start = (await fixed.browser().get('/')).text;
    expect(start).toContain('<title>From flag</title>');
    expect(start).toContain('<p>Flagged</p>');
    expect([...(await fixed.store.records.listSettings()).keys()].sort()).toEqual(['accent', 'logo', 'name']);
  });
});

describe('another server of the registry', () => {
  it('uses the settings within a minute', async () => {
    const other = otherServer(site);
    const reader = new TestBrowser(other, site.context.settings.baseUrl);
    expect((await reader.get('/')).text).toContain('<title>Crate registry</title>');
    await save({ name: 'Acme' });
    site.nowMs += 29_000;
    expect((await reader.get('/')).text).toContain('<title>Crate registry</title>');
    site.nowMs += 31_000;
    expect((await reader.get('/')).text).toContain('<title>Acme</title>');
  });

  it('has the assets of pages that this one made, and keeps those of earlier pages', async () => {
    const other = otherServer(site);
    const ask = (path: string, app = other): Promise<Response> =>
      Promise.resolve(app.request(`${site.context.settings.baseUrl}${path}`, {}, {}));
    const stylesheet = async (): Promise<string> =>
      /<link rel="stylesheet" href="([^"]+)"/.exec((await site.browser().get('/')).text)?.[1] ?? '';
    const before = await stylesheet();
    expect((await ask(before)).status).toBe(200);
    site.nowMs += 5000;
    await save({ accent: '#0f766e' });
    const after = await stylesheet();
    expect(after).not.toBe(before);
    expect((await ask(after)).status).toBe(200);
    for (const app of [other, site.app]) expect((await ask(before, app)).status).toBe(200);
    expect((await ask('/assets/site.0000000000000000.css')).status).toBe(404);
  });

  it('keeps its identity while the settings cannot be read, and ignores stored values that are not valid', async () => {
    const stored = [
      { name: 'name', value: Buffer.from('bad\nname'), detail: '' },
      { name: 'accent', value: Buffer.from('#0f766e'), detail: '' },
      { name: 'unknown', value: Buffer.from('x'), detail: '' },
      { name: 'logo', value: Buffer.from('x'), detail: '' },
    ];
    await site.store.records.changeSettings(stored, { login: 'root', atMs: 1 });
    site.nowMs += 60_000;
    const { text } = await site.browser().get('/');
    expect(text).toContain('<title>Crate registry</title>');
    let isAway = false;
    const records = {
      ...site.store.records,
      listSettings: () => (isAway ? Promise.reject(new Error('away')) : site.store.records.listSettings()),
    };
    const context = { ...site.context, records };
    const app = new Hono<HttpEnv>().route('/', pagesApp(context, new HealthCheck(context)));
    const reader = new TestBrowser(app, site.context.settings.baseUrl);
    const stylesheet = async (): Promise<string | undefined> =>
      /<link rel="stylesheet" href="([^"]+)"/.exec((await reader.get('/')).text)?.[1];
    const before = await stylesheet();
    isAway = true;
    site.nowMs += 60_000;
    expect(await stylesheet()).toBe(before);
    expect(site.logged.map(({ event }) => event)).toContain('settings-not-read');
  });
});
