import { describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { addDemoCrates } from '../../../helpers/demo-crates.ts';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';
import { TEST_IDENTITY } from '../../../helpers/test-identity.ts';

const LOGO_SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** Creates a site with parts of another identity. */
function siteOf(identity: Partial<typeof TEST_IDENTITY>): Promise<PagesSite> {
  return makePagesSite({ identity: { ...TEST_IDENTITY, ...identity } });
}

/** Returns the response for the image in the header of a page. */
async function logoOf(site: PagesSite): Promise<Response> {
  const { text } = await site.browser().get('/');
  const [, address = ''] = /<a class="brand" href="\/"><img src="([^"]+)" alt="">/.exec(text) ?? [];
  expect(text).toContain(`href="${address}">\n<link rel="stylesheet"`);
  return site.app.request(`${site.context.settings.baseUrl}${address}`, {}, {});
}

describe('the identity of a registry', () => {
  it('is in titles, header, heading and footer, with its name escaped', async () => {
    await using site = await siteOf({ siteName: 'A&B <crates>' });
    const { text } = await site.browser().get('/');
    expect(text).toContain('<title>A&amp;B &lt;crates&gt;</title>');
    expect(text).toContain('<span>A&amp;B &lt;crates&gt;</span></a>');
    expect(text).toContain('<h1>A&amp;B &lt;crates&gt;</h1>');
    expect(text).toContain('data-title="A&amp;B &lt;crates&gt;"');
    expect(text).toContain('A&amp;B &lt;crates&gt; is a registry of Rust crates');
    expect((await site.browser().get('/sign-in')).text).toContain(
      '<title>Sign in · A&amp;B &lt;crates&gt;</title>',
    );
    expect((await site.browser().get('/nothing')).text).toContain('· A&amp;B &lt;crates&gt;</title>');
  });

  it('gives its registry name to every example', async () => {
    await using site = await siteOf({ registryName: 'acme' });
    const owner = await addDemoCrates(site);
    const start = (await site.browser().get('/')).text;
    expect(start).toContain('[registries.acme]');
    expect(start).toContain('cargo login --registry acme');
    const crate = (await site.browser().get('/crates/tidepool')).text;
    expect(crate).toContain('cargo add tidepool --registry acme');
    expect(crate).toContain('tidepool = { version = &quot;1.1.0&quot;, registry = &quot;acme&quot; }');
    const browser = site.browser();
    await browser.signIn(owner.login);
    const made = await browser.submit('/me', '/me/tokens', { name: 'ci', scope: 'read', days: '7' });
    expect(made.text).toContain('tsreg login --registry acme');
    for (const text of [start, crate, made.text]) expect(text).not.toMatch(/registry mine|registries\.mine/);
  });

  it('has an SVG logo that cannot run scripts, even if it is opened as a page', async () => {
    await using site = await siteOf({ logo: { kind: 'svg', bytes: new TextEncoder().encode(LOGO_SVG) } });
    const response = await logoOf(site);
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toBe(LOGO_SVG);
  });

  it.each([
    ['png', 'image/png'],
    ['webp', 'image/webp'],
    ['jpg', 'image/jpeg'],
  ] as const)('has a logo in the format %s', async (kind, contentType) => {
    const bytes = new Uint8Array([0xff, 0x00, 0x80]);
    await using site = await siteOf({ logo: { kind, bytes } });
    const response = await logoOf(site);
    expect(response.headers.get('content-type')).toBe(contentType);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  it.each([
    ['Acme', [0, 0, 80], '#fff">A</text>'],
    ['  «éclair»', [255, 240, 0], '#000">É</text>'],
    ['+++', [0, 0, 80], '#fff">#</text>'],
  ] as const)('has a monogram of `%s` without a logo', async (siteName, accent, text) => {
    await using site = await siteOf({ siteName, accent });
    expect(await (await logoOf(site)).text()).toContain(text);
  });

  it('shows the welcome text on the start page above the crates, but not in search results', async () => {
    await using site = await siteOf({ welcomeHtml: '<p>Ask in <b>#rust</b>.</p>' });
    const { text } = await site.browser().get('/');
    expect(text).toContain('aria-label="Welcome"><p>Ask in <b>#rust</b>.</p></section>');
    await site.publish(await site.addUser('mira'), { name: 'acme', version: '1.0.0' });
    expect((await site.browser().get('/')).text).toMatch(/#rust[^]*<h2>Crates<\/h2>[^]*<h2 id="use">/);
    for (const address of ['/?q=acme', '/?q=acme&part=results'])
      expect((await site.browser().get(address)).text).not.toContain('#rust');
    await using other = await makePagesSite();
    expect((await other.browser().get('/')).text).not.toContain('Welcome');
  });

  it('changes the address of the stylesheet with the accent', async () => {
    await using site = await siteOf({});
    await using other = await siteOf({ accent: [1, 2, 3] });
    const sheetOf = async (from: PagesSite): Promise<string | undefined> =>
      /href="(\/assets\/site\.[0-9a-f]+\.css)"/.exec((await from.browser().get('/')).text)?.[1];
    expect(await sheetOf(site)).not.toBe(await sheetOf(other));
  });
});

describe('a page', () => {
  it('has less than 60 KB with its stylesheet and script, compressed', async () => {
    await using site = await makePagesSite();
    await addDemoCrates(site);
    for (const address of ['/', '/?q=shell', '/crates/tidepool', '/crates/tidepool-macros/dependencies']) {
      const { text } = await site.browser().get(address);
      const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:css|js))"/g)];
      expect(files).toHaveLength(2);
      const parts = [text];
      for (const [, file = ''] of files) parts.push((await site.browser().get(file)).text);
      const size = parts.reduce((sum, part) => sum + gzipSync(part).length, 0);
      expect(size, address).toBeLessThan(60_000);
    }
  });

  it('links to lists, tokens and the API only for those who may read', async () => {
    await using site = await makePagesSite();
    expect((await site.browser().get('/')).text).toContain('<nav aria-label="More">');
    await using own = await makePagesSite({ authRequired: true });
    const { text } = await own.browser().get('/sign-in');
    expect(text).not.toContain('<nav aria-label="More">');
    expect(text).not.toContain('href="/crates"');
  });

  it('offers a search if there is nothing at its address', async () => {
    await using site = await makePagesSite();
    const { text } = await site.browser().get('/nothing');
    expect(text.match(/role="search"/g)).toHaveLength(1);
    expect(text).toMatch(/<main[^]*role="search"/);
  });
});
