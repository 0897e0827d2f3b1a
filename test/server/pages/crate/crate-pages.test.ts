import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDemoCrates, LONG_NAME } from '../../../helpers/demo-crates.ts';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';

let site: PagesSite;

beforeAll(async () => {
  site = await makePagesSite();
  await addDemoCrates(site);
});

afterAll(async () => site[Symbol.asyncDispose]());

async function page(address: string): Promise<string> {
  const { status, text } = await site.browser().get(address);
  expect(status, address).toBe(200);
  return text;
}

describe('the start page', () => {
  it('shows totals, new crates and how to use the registry', async () => {
    const text = await page('/');
    for (const total of ['<strong>48</strong> <span class="quiet">crates', '>52<', '>1,333,333<'])
      expect(text).toContain(total);
    expect(text.indexOf('shell-part-45')).toBeLessThan(text.indexOf('shell-part-44'));
    expect(text).toContain('index = &quot;sparse+http://127.0.0.1:7878/index/&quot;');
  });

  it('lists search results in pages', async () => {
    const first = await page('/?q=shell');
    expect(first).toContain('45 crates for “shell”');
    expect(first).toContain('href="/?q=shell&amp;page=2"');
    const last = await page('/?q=shell&page=3');
    expect(last.match(/<li>\s*<h3><a href="\/crates\//g)).toHaveLength(5);
    expect(last).not.toContain('rel="next"');
    for (const odd of ['0', '-1', '1.5', 'x', ''])
      expect(await page(`/?q=shell&page=${odd}`)).toContain('Page 1 of 3');
    expect(await page('/?q=shell&page=999')).toContain('Page 3 of 3');
  });

  it('can return the search results without the rest of the page', async () => {
    const text = await page('/?q=tidepool&part=results');
    expect(text).toMatch(/^<details class="filters">[^]*<h2 data-summary>2 crates for/);
    expect(text).not.toContain('<html');
    expect(await page('/?part=results')).toContain('Recently updated');
  });

  it('escapes the query if nothing was found', async () => {
    expect(await page('/?q=%3Cscript%3Ealert(1)%3C/script%3E')).toContain(
      'No crates found for “&lt;script&gt;alert(1)&lt;/script&gt;”',
    );
  });

  it('works before anything is published', async () => {
    await using empty = await makePagesSite();
    expect((await empty.browser().get('/')).text).toContain('No crates yet');
  });
});

describe('the page of a crate', () => {
  it('shows the highest version that is not yanked, with readme and metadata', async () => {
    const text = await page('/crates/tidepool');
    expect(text).toContain('<title>tidepool · Crate registry</title>');
    expect(text).toContain('<h1>tidepool <span class="version">1.1.0</span></h1>');
    expect(text).toContain('<h2 id="readme-usage">Usage <a href="#readme-usage"');
    expect(text).toContain('tidepool = { version = &quot;1.1.0&quot;, registry = &quot;mine&quot; }');
    expect(text).toContain('MIT OR Apache-2.0');
    expect(text).toContain('1,333,332 downloads');
    expect(text).toContain('href="https://github.com/tidepool-rs/tidepool"');
    expect(text).toContain('Mira Okafor');
  });

  it('redirects to the exact spelling of the name', async () => {
    for (const [asked, canonical] of [
      ['/crates/Tidepool', '/crates/tidepool'],
      ['/crates/Tidepool?from=/a/b', '/crates/tidepool?from=/a/b'],
      ['/crates/TIDEPOOL_macros/features', '/crates/tidepool-macros/features'],
      ['/crates/tidepool_macros/1.1.0/dependencies?x=1', '/crates/tidepool-macros/1.1.0/dependencies?x=1'],
    ] as const) {
      const { status, headers } = await site.browser().get(asked);
      expect([status, headers.get('location')], asked).toEqual([303, canonical]);
    }
  });

  it('marks yanked versions and shows the reason', async () => {
    const text = await page('/crates/tidepool/0.2.0');
    expect(text).toContain('This version was yanked: loses jobs where a worker panics; use 1.0');
    expect(text).toContain('<a href="/crates/tidepool">See 1.1.0</a>');
    const list = await page('/crates/tidepool/versions');
    expect(list.match(/badge bad">yanked/g)).toHaveLength(1);
    expect(list.match(/loses jobs where a worker panics/g)).toHaveLength(1);
    expect([...list.matchAll(/<td class="name"><a [^>]*>([^<]+)/g)].map(([, version]) => version)).toEqual([
      '1.1.0',
      '1.0.0',
      '0.3.0-rc.1',
      '0.2.0',
      '0.1.0',
    ]);
  });

  it('shows the dependencies of a version by kind', async () => {
    const text = await page('/crates/tidepool-macros/dependencies');
    expect(text).toMatch(
      /<h2>Dependencies<[^]*tidepool<[^]*<h2>Build dependencies<[^]*cc<[^]*<h2>Development dependencies<[^]*trybuild</,
    );
    expect(text).toContain('<span>with <code>metrics</code>, <code>pinning</code></span>');
    expect(text).toContain(
      '<span>for <code>cfg(all(unix, not(target_os = &quot;macos&quot;)))</code></span>',
    );
    expect(text).toContain('<span>renamed to <code>sys</code></span>');
    expect(text).toContain('from index.example/crates-index');
    // Crates of other registries have no page here.
    expect(text).toContain('<td class="name">syn<br>');
  });

  it('shows its dependents', async () => {
    const text = await page('/crates/tidepool/dependents');
    expect(text).toContain('16 crates depend on tidepool.');
    expect(text).toContain('development dependency');
    expect(await page('/crates/shell-part-1/dependents')).toContain(
      'No crate in this registry depends on shell-part-1.',
    );
  });

  it('shows its features, the default ones first', async () => {
    const text = await page('/crates/tidepool-macros/features');
    expect([...text.matchAll(/<td class="name"><code>([^<]+)/g)].map(([, name]) => name)).toEqual([
      'default',
      'full',
      'metrics',
    ]);
    expect(text.match(/<code>[^<]+<\/code> <span class="badge good">default/g)).toEqual([
      '<code>metrics</code> <span class="badge good">default',
    ]);
  });

  it('links each feature to the features and the optional dependencies that it enables', async () => {
    const text = await page('/crates/tidepool-macros/features');
    expect(text).toContain('<tr id="feature-metrics">');
    const full = text.slice(text.indexOf('id="feature-full"'), text.indexOf('id="feature-metrics"'));
    expect(
      [...full.matchAll(/<a href="([^"]+)"><code>([^<]+)/g)].map(([, href, name]) => [name, href]),
    ).toEqual([
      ['metrics', '#feature-metrics'],
      ['dep:syn', '/crates/tidepool-macros/dependencies#dependency-syn'],
      ['tidepool/pinning', '/crates/tidepool-macros/dependencies#dependency-tidepool'],
    ]);
    expect(text).toContain(
      '<h2>Optional dependencies</h2><p><a href="/crates/tidepool-macros/dependencies#dependency-syn"><code>syn</code></a></p>',
    );
    const chosen = await page('/crates/tidepool-macros/1.1.0/features');
    expect(chosen).toContain('href="/crates/tidepool-macros/1.1.0/dependencies#dependency-syn"');
    expect(await page('/crates/tidepool-macros/dependencies')).toContain('<tr id="dependency-syn">');
  });

  it('links every keyword to its page', async () => {
    const keywords = ['ai', 'x', 'c++', 'b-tree', 'Parsing'];
    await site.publish(await site.addUser('nora'), { name: 'kelp', version: '1.0.0', keywords });
    const text = await page('/crates/kelp');
    const links = [...text.matchAll(/<a href="(\/keywords\/[^"]*)">#([^<]*)<\/a>/g)];
    expect(links.map(([, , keyword]) => keyword)).toEqual(keywords);
    for (const [, address = ''] of links) expect(await page(address)).toContain('href="/crates/kelp"');
  });

  it('omits build metadata in the line for Cargo.toml', async () => {
    expect(await page(`/crates/${LONG_NAME}`)).toContain(
      `${LONG_NAME} = { version = &quot;0.0.1-alpha.20260314.with.many.identifiers&quot;, `,
    );
  });

  it('is a 404 for crates and versions that do not exist', async () => {
    for (const [address, words] of [
      ['/crates/nope', 'There is no crate named “nope” here.'],
      ['/crates/%3Cb%3E', 'There is no crate named “&lt;b&gt;” here.'],
      ['/crates/tidepool/9.9.9', 'The crate “tidepool” has no version “9.9.9” here.'],
      ['/crates/tidepool/1.0.0/nothing', 'There is nothing at this address.'],
      ['/crates/%E0%A4%A', 'Not found'],
      ['/crates/a%00b', 'Not found'],
    ] as const) {
      const { status, text } = await site.browser().get(address);
      expect(status, address).toBe(404);
      expect(text, address).toContain(words);
    }
  });

  it('escapes all published values', async () => {
    const hostile = '"><script>alert(1)</script><p title=\'';
    const owner = await site.addUser('eve', { name: hostile });
    await site.publish(owner, {
      name: 'hostile',
      version: '1.0.0',
      description: hostile,
      keywords: [hostile],
      categories: [hostile],
      license: hostile,
      links: hostile,
      rustVersion: hostile,
      homepage: 'javascript:alert(1)',
      documentation: `https://ok.example/${hostile}`,
      repository: hostile,
      readme: hostile,
      features: new Map([[hostile, [hostile]]]),
      dependencies: [
        {
          name: hostile,
          versionReq: hostile,
          features: [hostile],
          optional: true,
          defaultFeatures: false,
          target: hostile,
          kind: 'normal',
          registry: `sparse+https://user:secret@${hostile}`,
          explicitNameInToml: hostile,
        },
      ],
    });
    await site.store.records.setYanked({
      ...{ crate: 'hostile', version: '1.0.0', isYanked: true, reason: hostile },
      ...{ atMs: site.nowMs, actor: { user: owner, token: null } },
    });
    for (const part of ['', '/versions', '/dependencies', '/features', '/1.0.0']) {
      const text = await page(`/crates/hostile${part}`);
      expect(text.match(/<script/g), part).toHaveLength(1);
      expect(text, part).not.toContain("<p title='");
      expect(text, part).not.toMatch(/href="javascript:/);
      expect(text, part).not.toContain('secret');
    }
    expect((await page('/?q=hostile')).match(/<script/g)).toHaveLength(1);
  });
});

describe('every page', () => {
  it('loads nothing from other sites, allows no frames and is not cached by proxies', async () => {
    const { headers, text } = await site.browser().get('/crates/tidepool');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]),
    );
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Cookie, Accept-Encoding');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(text).not.toMatch(/<[^>]+ (?:style|on\w+)=/);
  });

  it('is compressed if the client accepts it, and so are its assets', async () => {
    const { text } = await site.browser().get('/crates/' + LONG_NAME);
    const files = [...text.matchAll(/(?:href|src)="(\/assets\/site\.[0-9a-f]{16}\.(?:css|js))"/g)];
    expect(files.length).toBeGreaterThan(1);
    for (const address of ['/crates/' + LONG_NAME, ...files.map(([, file = '']) => file)]) {
      const ask = async (encoding: string): Promise<Response> =>
        site.app.request(
          `${site.context.settings.baseUrl}${address}`,
          {
            headers: { accept: 'text/html', 'accept-encoding': encoding },
          },
          {},
        );
      const [plain, packed] = [await ask('identity'), await ask('gzip, br')];
      expect([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([
        null,
        'gzip',
      ]);
      expect(packed.headers.get('content-length')).toBeNull();
      const bytes = Buffer.from(await packed.arrayBuffer());
      expect(gunzipSync(bytes).toString()).toBe(await plain.text());
    }
  });

  it('links assets that can be cached forever', async () => {
    const { text } = await site.browser().get('/');
    const files = [...text.matchAll(/(?:href|src)="(\/assets\/site\.[0-9a-f]{16}\.(\w+))"/g)];
    expect(new Set(files.map(([, , kind]) => kind))).toEqual(new Set(['css', 'js', 'svg']));
    for (const [, address = ''] of files) {
      const { status, headers } = await site.browser().get(address);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    expect((await site.browser().get('/assets/site.0000000000000000.css')).status).toBe(404);
  });

  it('is only for browsers: programs get the errors of the web API', async () => {
    const { status, text } = await site.browser().get('/nothing', { accept: 'application/json' });
    expect([status, text]).toEqual([404, '{"errors":[{"detail":"not found"}]}']);
  });

  it('reports a failure of the store without the reason', async () => {
    await using broken = await makePagesSite();
    await broken.store.close();
    const { status, text } = await broken.browser().get('/');
    expect(status).toBe(500);
    expect(text).toContain('Something went wrong');
    expect(text).not.toMatch(/sqlite|database|\.ts/i);
    expect(broken.logged.map(({ event }) => event)).toEqual(['settings-not-read', 'page-failed']);
  });

  it('requires a sign-in if the registry is private', async () => {
    await using own = await makePagesSite({ authRequired: true });
    const user = await own.addUser('mira');
    await own.publish(user, { name: 'hidden', version: '1.0.0' });
    for (const address of [
      '/',
      '/?q=hidden&part=results',
      '/crates/hidden',
      '/crates/hidden/1.0.0',
      '/crates/hidden/versions',
      '/me',
      '/admin',
    ]) {
      const { status, headers, text } = await own.browser().get(address);
      expect(status, address).toBe(303);
      expect(headers.get('location'), address).toMatch(/^\/sign-in/);
      expect(text, address).not.toContain('hidden');
    }
    const { text } = await own.browser().get('/sign-in');
    expect(text).not.toContain('role="search"');
    const browser = own.browser();
    await browser.signIn('mira');
    expect((await browser.get('/crates/hidden')).text).toContain('hidden');
    expect((await browser.get('/')).text).toContain('credential-provider = [&quot;cargo:token&quot;]');
  });
});
