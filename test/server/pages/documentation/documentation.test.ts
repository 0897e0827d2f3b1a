import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HealthCheck } from '../../../../src/server/http/health-check.ts';
import type { HttpEnv } from '../../../../src/server/http/http-env.ts';
import { pagesApp } from '../../../../src/server/pages/pages-app.ts';
import type { ServerContext } from '../../../../src/server/server-context.ts';
import type { User } from '../../../../src/server/store/values.ts';
import {
  presentOf,
  rustdocFiles,
  storedPage,
  uploadDocs,
  type Files,
} from '../../../helpers/documentation.ts';
import {
  makePagesSite,
  SITE_URL,
  TestBrowser,
  type PagesSite,
  type TestPage,
} from '../../../helpers/pages-site.ts';

const FILES: Files = {
  ...rustdocFiles('mug'),
  'mug/data.bin': 'x',
  'mug/a b/index.html': 'spaced',
  large: 'y',
  html: 'no page',
};

/** The first page, as the registry stores it. */
const START = storedPage(FILES['mug/index.html']);

let site: PagesSite;
let mira: User;
let browser: TestBrowser;

beforeEach(() => openSite({}));

afterEach(async () => site[Symbol.asyncDispose]());

async function openSite(settings: Parameters<typeof makePagesSite>[0]): Promise<void> {
  site = await makePagesSite(settings);
  mira = await site.addUser('mira');
  await site.addUser('eve');
  for (const version of ['1.0.0', '1.1.0', '2.0.0+build']) await site.publish(mira, { name: 'mug', version });
  browser = site.browser();
}

async function upload(version: string, files: Files = FILES): Promise<void> {
  const actor = { user: mira, token: null };
  const { kind } = await uploadDocs(site.store, { crate: 'mug', version, actor }, files);
  expect(kind).toBe('stored');
}

/** Returns a browser of the same site whose server has other services. */
function browserWith(services: Partial<ServerContext>): TestBrowser {
  const context = { ...site.context, ...services };
  return new TestBrowser(
    new Hono<HttpEnv>().route('/', pagesApp(context, new HealthCheck(context))),
    SITE_URL,
  );
}

const locationOf = ({ status, headers }: TestPage): string => `${status} ${headers.get('location') ?? ''}`;

/** Returns the address, with its ticket, of the first page of a version. */
async function addressOf(version: string, by = browser): Promise<string> {
  const page = await by.get(`/docs/mug/${encodeURIComponent(version)}/`);
  expect(page.status).toBe(303);
  return page.headers.get('location') ?? '';
}

const SUBRESOURCE = { accept: '*/*', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script' };

describe('the addresses of documentation', () => {
  it('lead to the highest version with documentation, and then to its first page with a ticket', async () => {
    await upload('1.0.0');
    expect(locationOf(await browser.get('/docs/Mug'))).toBe('303 /docs/mug/1.0.0/');
    await upload('2.0.0+build');
    expect(locationOf(await browser.get('/docs/mug'))).toBe('303 /docs/mug/2.0.0%2Bbuild/');
    expect(locationOf(await browser.get('/docs/mug/'))).toBe('303 /docs/mug/2.0.0%2Bbuild/');
    for (const path of ['/docs/MUG/1.0.0', '/docs/mug/1.0.0/'])
      expect(locationOf(await browser.get(path))).toMatch(
        /^303 \/docs\/mug\/1\.0\.0\/~\d+\.[\w-]{43}\/mug\/index\.html$/,
      );
    const page = await browser.get(await addressOf('2.0.0+build'));
    expect([page.status, page.text]).toEqual([200, START]);
  });

  it('keep the query, add what is missing in the path of a folder, and may have any characters', async () => {
    await upload('1.0.0');
    const page = async (path: string): Promise<string> =>
      locationOf(await browser.get(`/docs/mug/1.0.0/${path}`));
    expect(await page('mug/struct.Mug.html?search=a%20b')).toMatch(/\/mug\/struct\.Mug\.html\?search=a%20b$/);
    expect(locationOf(await browser.get('/docs/mug?search=a%20b'))).toBe('303 /docs/mug/1.0.0/?search=a%20b');
    expect(await page('mug')).toMatch(/~[^/]+\/mug\/index\.html$/);
    expect(await page('mug/')).toMatch(/~[^/]+\/mug\/index\.html$/);
    expect(await page('mug/a%20b')).toMatch(/~[^/]+\/mug\/a%20b\/index\.html$/);
    const start = await addressOf('1.0.0');
    expect(locationOf(await browser.get(start.replace('/index.html', '')))).toBe(`303 ${start}`);
    expect((await browser.get(start.replace('/index.html', '/a%20b/index.html'))).text).toBe('spaced');
    expect((await browser.get(start.replace('mug/index.html', 'large'))).text).toBe('y');
  });

  it('show error pages for what does not exist', async () => {
    await upload('1.0.0');
    const start = await addressOf('1.0.0');
    for (const [path, text] of [
      ['/docs/kettle', 'No version of a crate named “kettle” has documentation here.'],
      ['/docs/mug/1.1.0/', 'Version “1.1.0” of a crate named “mug” has no documentation here.'],
      ['/docs/mug/%3Cb%3E/', 'Version “&lt;b&gt;” of'],
      ['/docs/mug/1.0.0/nothing.html', 'has no page at this address'],
      ['/docs/mug/1.0.0/../../etc/passwd', 'Version “passwd” of a crate named “etc” has no documentation'],
      ['/docs/mug/1.0.0/%2e%2e%2f%2e%2e%2fetc', 'has no page at this address'],
      [start.replace('index', 'nothing'), 'has no page at this address'],
      ['/docs', 'nothing at this address'],
      ['/docs/', 'nothing at this address'],
      ['/docs//1.0.0/', 'nothing at this address'],
      ['/docs/mug//mug/index.html', 'nothing at this address'],
      ['/docs/mug/1.0.0/%ff', 'nothing at this address'],
    ] as const) {
      const page = await browser.get(path);
      expect([page.status, page.text.includes(text)], path).toEqual([404, true]);
    }
    const missing = await browser.get(start.replace('index.html', 'missing.js'), SUBRESOURCE);
    expect([missing.status, missing.text]).toEqual([404, 'not found']);
  });

  it('work for yanked versions, and no longer after a removal', async () => {
    await upload('1.0.0');
    const { records } = site.store;
    const change = { crate: 'mug', version: '1.0.0', atMs: 1, actor: { user: mira, token: null } };
    await records.setYanked({ ...change, isYanked: true, reason: null });
    const start = await addressOf('1.0.0');
    expect((await browser.get(start)).status).toBe(200);
    await records.deleteDocumentation(change);
    expect((await browser.get(start)).status).toBe(404);
    expect((await browser.get(start.replace('mug/index.html', 'settings.js'), SUBRESOURCE)).status).toBe(404);
  });
});

describe('the responses of documentation', () => {
  it('are sent as they are stored, or unpacked for clients without gzip', async () => {
    await upload('1.0.0');
    const start = await addressOf('1.0.0');
    const ask = async (encoding: string, method = 'GET'): Promise<Response> =>
      await site.app.request(`${SITE_URL}${start}`, {
        method,
        headers: { accept: 'text/html', 'accept-encoding': encoding },
      });
    const packed = await ask('gzip');
    const bytes = Buffer.from(await packed.arrayBuffer());
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('content-length')).toBe(String(bytes.length));
    expect(gunzipSync(bytes).toString()).toBe(START);
    const plain = await ask('identity');
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, START]);
    expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    const head = await ask('gzip', 'HEAD');
    expect([head.headers.get('content-length'), await head.text()]).toEqual([String(bytes.length), '']);
    const again = await browser.get(start, { 'if-none-match': packed.headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('have the type of their extension from a fixed table', async () => {
    await upload('1.0.0');
    const start = await addressOf('1.0.0');
    for (const [path, type] of [
      ['mug/index.html', 'text/html; charset=utf-8'],
      ['static.files/rustdoc-1.css', 'text/css; charset=utf-8'],
      ['static.files/main-1.js', 'text/javascript; charset=utf-8'],
      ['static.files/mono-1.woff2', 'font/woff2'],
      ['static.files/logo-1.svg', 'image/svg+xml'],
      ['mug/data.bin', 'application/octet-stream'],
      ['large', 'application/octet-stream'],
      ['html', 'application/octet-stream'],
    ] as const) {
      const { status, headers } = await browser.get(start.replace('mug/index.html', path));
      expect([status, headers.get('content-type')], path).toEqual([200, type]);
    }
  });

  it('run in a sandbox that loads only files of the registry', async () => {
    await upload('1.0.0');
    const start = await addressOf('1.0.0');
    for (const path of [
      'mug/index.html',
      'static.files/main-1.js',
      'static.files/logo-1.svg',
      'mug/data.bin',
    ]) {
      const { headers } = await browser.get(start.replace('mug/index.html', path));
      const policy = headers.get('content-security-policy') ?? '';
      const [sandbox, ...rules] = policy.split('; ');
      expect(sandbox, path).toBe(
        'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox',
      );
      expect(rules).toContain("default-src 'none'");
      for (const name of ['form-action', 'base-uri', 'frame-ancestors'])
        expect(rules).toContain(`${name} 'none'`);
      expect(rules.filter((rule) => /\*|https?:/.test(rule))).toEqual([]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  it('are for other origins only if they are files with a ticket', async () => {
    await upload('1.0.0');
    const start = await addressOf('1.0.0');
    const page = await browser.get(start);
    expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
    expect(page.headers.get('cache-control')).toBe('private, no-cache');
    const font = await browser.get(start.replace('mug/index.html', 'static.files/mono-1.woff2'), SUBRESOURCE);
    expect(font.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(font.headers.get('access-control-allow-origin')).toBe('*');
    expect(font.headers.get('cache-control')).toBe('private, max-age=86400, immutable');
    const guessed = await browser.get('/docs/mug/1.0.0/search.index/root.js', SUBRESOURCE);
    expect([guessed.status, guessed.headers.get('location')]).toEqual([404, null]);
  });

  it('lead to a ticket by redirects that other sites cannot follow in scripts, whatever these accept', async () => {
    await upload('1.0.0');
    for (const path of ['', 'search.index/root.js', '~1.x/search.index/root.js']) {
      const accepting = { ...SUBRESOURCE, accept: 'text/html' };
      const { status, headers } = await browser.get(`/docs/mug/1.0.0/${path}`, accepting);
      expect([status, headers.get('cross-origin-resource-policy')], path).toEqual([303, 'same-origin']);
      expect(headers.get('access-control-allow-origin'), path).toBeNull();
    }
  });

  it('are no scripts for pages of the registry itself', async () => {
    await upload('1.0.0');
    const script = (await addressOf('1.0.0')).replace('mug/index.html', 'static.files/main-1.js');
    const ask = async (site: string, dest: string): Promise<number> =>
      (await browser.get(script, { 'sec-fetch-site': site, 'sec-fetch-dest': dest })).status;
    expect(await ask('same-origin', 'script')).toBe(404);
    expect(await ask('same-origin', 'serviceworker')).toBe(404);
    expect(await ask('same-origin', 'document')).toBe(200);
    expect(await ask('cross-site', 'script')).toBe(200);
  });

  it('are an error page if the blob is missing', async () => {
    await upload('1.0.0');
    const { blobKey } = await presentOf(site.store.records.findDocumentation('mug', '1.0.0'));
    await site.store.blobs.delete(blobKey);
    expect((await browser.get('/docs/mug/1.0.0/')).status).toBe(500);
    expect(site.logged.map(({ event }) => event)).toEqual(['page-failed']);
  });
});

describe('documentation that is replaced during a request', () => {
  /** Returns a browser whose next request finds the record from before `change`. */
  async function browserBefore(change: () => Promise<unknown>): Promise<TestBrowser> {
    const { records } = site.context;
    let earlier = await records.findDocumentation('mug', '1.0.0');
    await change();
    const findDocumentation: typeof records.findDocumentation = async (crate, version) => {
      const found = earlier ?? (await records.findDocumentation(crate, version));
      earlier = null;
      return found;
    };
    return browserWith({ records: { ...records, findDocumentation } });
  }

  async function replace(): Promise<void> {
    const { blobKey } = await presentOf(site.store.records.findDocumentation('mug', '1.0.0'));
    await upload('1.0.0', { ...FILES, 'mug/index.html': 'second' });
    await site.store.blobs.delete(blobKey);
  }

  it('leads readers to the new documentation', async () => {
    await upload('1.0.0');
    const address = `${await addressOf('1.0.0')}?search=a`;
    const reader = await browserBefore(replace);
    expect(locationOf(await reader.get(address))).toBe(`303 ${address}`);
    const { headers } = await reader.get(address);
    expect((await reader.get(headers.get('location') ?? '')).text).toBe('second');
    expect(site.logged).toEqual([]);
  });

  it('lets pages find that a file is no longer there', async () => {
    await upload('1.0.0');
    const script = (await addressOf('1.0.0')).replace('mug/index.html', 'static.files/main-1.js');
    const page = await browserBefore(replace);
    const { status, headers } = await page.get(script, SUBRESOURCE);
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
      303,
      script,
      'no-store',
    ]);
    expect((await page.get(script, SUBRESOURCE)).status).toBe(404);
  });

  it('leads readers to an error page after a removal', async () => {
    await upload('1.0.0');
    const reader = await browserBefore(async () => {
      const { blobKey } = await presentOf(site.store.records.findDocumentation('mug', '1.0.0'));
      const actor = { user: mira, token: null };
      await site.store.records.deleteDocumentation({ crate: 'mug', version: '1.0.0', atMs: 1, actor });
      await site.store.blobs.delete(blobKey);
    });
    expect(locationOf(await reader.get('/docs/mug/1.0.0/'))).toBe('303 /docs/mug/1.0.0/');
    expect((await reader.get('/docs/mug/1.0.0/')).status).toBe(404);
  });
});

describe('the cache of documentation', () => {
  it('reads a small file from the store once, and a large one each time', async () => {
    const { blobs } = site.context;
    let opened = 0;
    const open: typeof blobs.open = async (key, range) => {
      opened += 1;
      return await blobs.open(key, range);
    };
    const reader = browserWith({ blobs: { ...blobs, open } });
    const [small, large] = [randomBytes(200_000), randomBytes(300_000)];
    await upload('1.0.0', { ...FILES, 'mug/small.bin': small, 'mug/large.bin': large });
    const start = await addressOf('1.0.0', reader);
    const count = async (path: string, headers?: Record<string, string>): Promise<number> => {
      const before = opened;
      expect((await reader.get(start.replace('mug/index.html', path), headers)).status).toBe(200);
      return opened - before;
    };
    for (const path of ['mug/index.html', 'mug/struct.Mug.html', 'static.files/main-1.js', 'mug/small.bin'])
      expect(
        [await count(path), await count(path), await count(path, { 'accept-encoding': 'gzip' })],
        path,
      ).toEqual([1, 0, 0]);
    expect([await count('mug/large.bin'), await count('mug/large.bin')]).toEqual([1, 1]);
    expect((await reader.get(start)).text).toBe(START);
    expect((await reader.get(start.replace('index.html', 'struct.Mug.html'))).text).toContain('struct Mug');
    await upload('1.0.0', { ...FILES, 'mug/index.html': 'second' });
    expect((await reader.get(await addressOf('1.0.0', reader))).text).toBe('second');
  });
});

describe('documentation without scripts', () => {
  it('has pages and files whose policy allows no scripts', async () => {
    await upload('1.0.0');
    const start = await addressOf('1.0.0');
    const { settings } = site.context;
    const reader = browserWith({ settings: { ...settings, documentation: 'static' } });
    expect((await reader.get(start)).text).toBe(START);
    for (const path of ['mug/index.html', 'static.files/logo-1.svg', 'mug/data.bin', 'large']) {
      const { status, headers } = await reader.get(start.replace('mug/index.html', path));
      const rules = headers.get('content-security-policy')?.split('; ');
      expect([status, rules?.[0]], path).toEqual([
        200,
        'sandbox allow-popups allow-popups-to-escape-sandbox',
      ]);
      expect(rules).toEqual(
        expect.arrayContaining(["default-src 'none'", "style-src 'self' 'unsafe-inline'"]),
      );
      expect(rules?.filter((rule) => rule.includes('script'))).toEqual([]);
    }
  });

  it('does not let browsers use pages that they have cached with scripts', async () => {
    await upload('1.0.0');
    const start = await addressOf('1.0.0');
    const { settings } = site.context;
    const reader = browserWith({ settings: { ...settings, documentation: 'static' } });
    const cached = (await browser.get(start)).headers.get('etag') ?? '';
    const { status, headers } = await reader.get(start, { 'if-none-match': cached });
    expect(status).toBe(200);
    expect((await reader.get(start, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
  });
});

describe('a registry that shows no documentation', () => {
  it('has neither pages, links nor a part of the settings for it', async () => {
    await upload('1.1.0');
    const start = await addressOf('1.1.0');
    const pages = ['/crates/mug/1.1.0', '/crates/mug/1.0.0', '/crates/mug/versions', '/crates/mug/settings'];
    const { settings } = site.context;
    const reader = browserWith({ settings: { ...settings, documentation: 'off' } });
    for (const by of [browser, reader]) await by.signIn('mira');
    for (const path of ['/docs/mug', '/docs/mug/1.1.0/', start, start.replace('mug/index.html', 'large')])
      expect((await reader.get(path)).status, path).toBe(404);
    expect((await reader.get(start.replace('mug/index.html', 'settings.js'), SUBRESOURCE)).status).toBe(404);
    for (const path of pages) {
      const ofDocumentation = /\/docs\/|\/docs\b|cargo doc|documentation\/remove/;
      expect((await browser.get(path)).text, path).toMatch(ofDocumentation);
      const { status, text } = await reader.get(path);
      expect(status, path).toBe(200);
      expect(text, path).not.toMatch(ofDocumentation);
    }
  });
});

describe('a ticket', () => {
  const DAY_MS = 86_400_000;
  const SCRIPT = 'static.files/main-1.js';

  it('is refused after two days, for another version or upload, and if it is forged', async () => {
    await upload('1.0.0');
    await upload('1.1.0');
    const script = (await addressOf('1.0.0')).replace('mug/index.html', SCRIPT);
    const ask = async (address: string): Promise<number> => (await browser.get(address, SUBRESOURCE)).status;
    expect(await ask(script)).toBe(200);
    expect(await ask(script.replace('1.0.0', '1.1.0'))).toBe(404);
    expect(await ask(script.replace(/~(\d+)/, (_, day) => `~${Number(day) + 1}`))).toBe(404);
    expect(await ask(script.replace(/.\/static/, 'x/static').replace(/~\d+/, '~99999999999999'))).toBe(404);
    expect(await ask(script.replace(/~[^/]+/, `~${'1'.repeat(5000)}`))).toBe(404);
    site.nowMs += DAY_MS;
    expect(await ask(script)).toBe(200);
    site.nowMs += DAY_MS;
    expect(await ask(script)).toBe(404);
    const fresh = (await addressOf('1.0.0')).replace('mug/index.html', SCRIPT);
    expect(await ask(fresh)).toBe(200);
    await upload('1.0.0', { ...FILES, [SCRIPT]: 'second' });
    expect(await ask(fresh)).toBe(404);
  });

  it('that is no longer valid leads readers to the page with a new one', async () => {
    await upload('1.0.0');
    const start = await addressOf('1.0.0');
    site.nowMs += 3 * DAY_MS;
    const { headers, status } = await browser.get(`${start}?search=x`);
    const location = headers.get('location') ?? '';
    expect([status, location]).toEqual([303, expect.stringMatching(/mug\/index\.html\?search=x$/)]);
    expect(location).not.toContain(start);
    expect((await browser.get(location)).status).toBe(200);
    const file = start.replace('mug/index.html', SCRIPT);
    expect((await browser.get(file)).headers.get('location')).toMatch(/main-1\.js$/);
  });
});

describe('documentation of a private registry', () => {
  it('has pages for signed-in readers, and files for those who have a ticket', async () => {
    await site[Symbol.asyncDispose]();
    await openSite({ authRequired: true });
    await upload('1.0.0');
    for (const path of ['/docs/mug', '/docs/mug/1.0.0/', '/docs/mug/9.9.9/', '/docs/nothing'])
      expect(locationOf(await browser.get(path)), path).toMatch(/^303 \/sign-in/);
    const reader = site.browser();
    await reader.signIn('eve');
    const start = await addressOf('1.0.0', reader);
    expect((await reader.get(start)).text).toBe(START);
    expect(locationOf(await browser.get(start))).toMatch(/^303 \/sign-in/);
    // Browsers request the files of a page in a sandbox without the cookie.
    const file = start.replace('mug/index.html', 'static.files/main-1.js');
    expect((await browser.get(file, SUBRESOURCE)).status).toBe(200);
    expect((await browser.get(file.replace(/~[^/]+\//, ''), SUBRESOURCE)).text).not.toContain('showResults');
    site.nowMs += 3 * 86_400_000;
    expect(locationOf(await browser.get(file))).toMatch(/^303 \/sign-in/);
  });
});

describe('links to documentation', () => {
  const LINK = /<a[^>]* href="(\/docs\/[^"]*)"[^>]*>(?:<svg.*?<\/svg>)?([^<]*)/g;
  const linksIn = (text: string): readonly (readonly string[])[] =>
    [...text.matchAll(LINK)].map(([, path = '', label = '']) => [path, label]);

  it('are on the pages of a version with documentation; else they name the highest one', async () => {
    expect(linksIn((await browser.get('/crates/mug')).text)).toEqual([]);
    await upload('1.0.0');
    await upload('1.1.0');
    const links = async (path: string): Promise<unknown> => [
      ...new Set(linksIn((await browser.get(path)).text).map((link) => link.join(' '))),
    ];
    expect(await links('/crates/mug/1.0.0')).toEqual(['/docs/mug/1.0.0/ Documentation']);
    expect(await links('/crates/mug')).toEqual(['/docs/mug/1.1.0/ Documentation of 1.1.0']);
    expect(await links('/crates/mug/1.0.0/features')).toEqual(['/docs/mug/1.0.0/ Documentation']);
  });

  it('have another name than that of documentation elsewhere', async () => {
    const documentation = 'https://docs.example/mug';
    await site.publish(mira, { name: 'mug', version: '3.0.0', documentation });
    const label = async (): Promise<string | undefined> =>
      new RegExp(`href="${documentation}"[^>]*>([^<]*)`).exec((await browser.get('/crates/mug')).text)?.[1];
    expect(await label()).toBe('Documentation');
    await upload('3.0.0');
    expect(await label()).toBe('Documentation elsewhere');
  });

  it('are in the list of versions', async () => {
    await upload('1.0.0');
    const { text } = await browser.get('/crates/mug/versions');
    const rows = [...text.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => row);
    const documented = rows.filter((row) => row.includes('/docs/'));
    expect(documented).toHaveLength(1);
    expect(documented[0]).toContain(
      '<a class="small" href="/docs/mug/1.0.0/">Docs<span class="silent"> of 1.0.0</span></a>',
    );
  });
});

describe('documentation in the settings of a crate', () => {
  const PAGE = '/crates/mug/settings';
  const FORM = `${PAGE}/documentation/remove`;

  it('can be removed by an owner, also twice', async () => {
    await upload('1.0.0');
    await browser.signIn('mira');
    expect((await browser.get(PAGE)).text).toContain(`action="${FORM}"`);
    for (const _ of [1, 2]) {
      const { headers } = await browser.submit(PAGE, FORM, { version: '1.0.0' });
      expect(headers.get('location')).toBe(`${PAGE}?done=documentation-removed`);
    }
    const { text } = await browser.get(`${PAGE}?done=documentation-removed`);
    expect(text).toContain('Documentation removed.');
    expect(text).not.toContain(FORM);
    expect(await site.store.records.listDocumentation('mug')).toEqual([]);
    const keys: string[] = [];
    for await (const { key } of site.store.blobs.list()) keys.push(key);
    expect(keys.filter((key) => key.endsWith('.docs'))).toEqual([]);
    expect((await browser.submit(PAGE, FORM, { version: '9.9.9' })).status).toBe(404);
  });

  it('cannot be removed by others', async () => {
    await upload('1.0.0');
    const fields = { version: '1.0.0' };
    await browser.signIn('eve');
    expect((await browser.submit('/me', FORM, fields)).status).toBe(403);
    expect((await browser.post(FORM, fields)).status).toBe(403);
    expect(locationOf(await site.browser().post(FORM, fields))).toBe('303 /sign-in');
    expect(await site.store.records.listDocumentation('mug')).toHaveLength(1);
  });

  it('can be uploaded with the command on the page', async () => {
    await browser.signIn('mira');
    expect((await browser.get(PAGE)).text).toContain(
      `--upload-file - ${SITE_URL}/api/v1/crates/mug/2.0.0%2Bbuild/docs`,
    );
  });
});
