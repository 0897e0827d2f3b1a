import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CrateDecl } from '../../../helpers/crate.ts';
import { makeMirrorSite, type MirrorSite } from '../../../helpers/mirror-site.ts';
import { NO_GATES } from '../../../helpers/mirror.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let site: MirrorSite;

beforeEach(async () => {
  site = await makeMirrorSite();
});
afterEach(async () => {
  // No page may make the server send a request.
  expect(site.upstream.status().requests).toBe(0);
  await site[Symbol.asyncDispose]();
});

async function reopen(settings: Parameters<typeof makeMirrorSite>[0]): Promise<void> {
  await site[Symbol.asyncDispose]();
  site = await makeMirrorSite(settings);
}

/** The text of a page without tags, on one line. */
async function textOf(address: string): Promise<string> {
  const { text } = await site.browser().get(address);
  const main = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '';
  return main
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const README = '# Loud\n\nSee [the guide](docs/guide.md). <script>alert(1)</script>';
const EXTRA =
  'description = "Makes <things> loud"\nlicense = "MIT"\nreadme = "README.md"\nrepository = "https://github.com/acme/loud"';

function loud(version: string, more: Partial<CrateDecl> = {}): CrateDecl {
  const files = { 'src/lib.rs': '', 'README.md': README };
  return { name: 'Loud', version, extra: EXTRA, files, ...more };
}

describe('the page of a cached crate', () => {
  it('says where the crate comes from, with the readme of its archive and links', async () => {
    await site.cacheCrate([loud('1.0.0'), loud('1.1.0', { rust_version: '1.70' })], { archives: ['1.1.0'] });
    const { status, text } = await site.browser().get('/crates/Loud');
    expect(status).toBe(200);
    const shown = await textOf('/crates/Loud');
    expect(shown).toContain('Loud 1.1.0 Makes &lt;things&gt; loud from crates.io MIT Rust 1.70 or newer');
    expect(shown).toContain('This crate comes from crates.io. Crate registry only caches it.');
    expect(text).toContain('href="https://crates.io/crates/Loud/1.1.0"');
    expect(text).toContain('href="https://docs.rs/Loud/1.1.0"');
    expect(text).toContain('href="https://github.com/acme/loud/blob/HEAD/docs/guide.md"');
    expect(text).not.toContain('<script>alert');
  });

  it('shows the commands without --registry, and how to use the mirror', async () => {
    await site.cacheCrate([loud('1.1.0+build')]);
    const { text } = await site.browser().get('/crates/Loud/1.1.0+build');
    expect(text).toContain('>cargo add Loud@1.1.0<');
    expect(text).toContain('>tsreg download Loud@1.1.0<');
    expect(text).toContain('>Loud = &quot;1.1.0&quot;<');
    const config =
      '[source.crates-io]\nreplace-with = "mirror"\n\n[source.mirror]\nregistry = "sparse+http://127.0.0.1:7878/index/"';
    expect(text).toContain(config.replaceAll('"', '&quot;'));
  });

  it('shows the registry table if the registry is private, as only that can have a token', async () => {
    await reopen({ server: { authRequired: true } });
    await site.cacheCrate([loud('1.1.0')]);
    const { status, headers } = await site.browser().get('/crates/Loud');
    expect([status, headers.get('location')]).toEqual([303, '/sign-in?return=%2Fcrates%2FLoud']);
    await site.addUser('mira');
    const browser = site.browser();
    await browser.signIn('mira');
    const { text } = await browser.get('/crates/Loud');
    expect(text).toContain('[source.crates-io]\nreplace-with = &quot;mine&quot;\n\n[registries.mine]\n');
    expect(text).toContain('credential-provider');
  });

  it('asks strangers of a private registry to sign in, and reads nothing for them', async () => {
    await reopen({ server: { authRequired: true } });
    await site.cacheCrate([loud('1.0.0')]);
    const find = vi.spyOn(site.upstream.cache, 'find');
    const { status, headers } = await site.browser().get('/crates/Loud');
    expect([status, headers.get('location')]).toEqual([303, '/sign-in?return=%2Fcrates%2FLoud']);
    expect(find).not.toHaveBeenCalled();
  });

  it('names the host of another upstream, and no page on crates.io', async () => {
    await reopen({ url: 'sparse+https://crates.example.com/index/' });
    await site.cacheCrate([loud('1.0.0')]);
    const { text } = await site.browser().get('/crates/Loud');
    expect(text).toContain('from crates.example.com');
    expect(text).toContain('>cargo add Loud --registry mine<');
    expect(text).toContain('>tsreg info Loud --registry mine<');
    expect(text).not.toMatch(/https:\/\/(?:crates\.io|docs\.rs)/);
  });

  it('shows the readme of the newest cached version if its own archive is not cached', async () => {
    const old = { 'src/lib.rs': '', 'README.md': 'The old one' };
    await site.cacheCrate([loud('1.0.0', { files: old }), loud('1.2.0'), loud('1.3.0')], {
      archives: ['1.0.0', '1.2.0'],
    });
    const shown = await textOf('/crates/Loud');
    expect(shown).toContain('This readme is from version 1.2.0, the newest one that is cached here.');
    expect(shown).toContain('See the guide');
    // The license is that of the version on the page, which is not known.
    expect(shown).not.toContain('MIT');
    expect(await textOf('/crates/Loud/1.0.0')).toContain('The old one');
  });

  it('works without any archive, and with one that is damaged', async () => {
    await site.cacheCrate([loud('1.0.0')]);
    expect(await textOf('/crates/Loud')).toContain('The readme appears here when someone has downloaded');
    await site.cacheCrate([{ name: 'broken', version: '1.0.0', archive: 'garbage' }], {
      archives: ['1.0.0'],
    });
    expect(await textOf('/crates/broken')).toContain('The file of this crate cannot be read at the moment.');
  });

  it('shows the highest stable version that is not yanked', async () => {
    await site.cacheCrate([
      loud('1.0.0'),
      loud('1.10.0'),
      loud('1.11.0', { yanked: true }),
      loud('2.0.0-rc.1'),
    ]);
    expect(await textOf('/crates/Loud')).toContain('Loud 1.10.0');
    expect(await textOf('/crates/Loud/1.11.0')).toContain('This version was yanked on crates.io.');
  });

  it('redirects another case of the name, and refuses unknown versions', async () => {
    await site.cacheCrate([loud('1.0.0')]);
    const { status, headers } = await site.browser().get('/crates/LOUD/1.0.0/features?x=1');
    expect([status, headers.get('location')]).toEqual([303, '/crates/Loud/1.0.0/features?x=1']);
    expect((await site.browser().get('/crates/Loud/9.9.9')).status).toBe(404);
    expect(await textOf('/crates/Loud/9.9.9')).toContain('The crate “Loud” has no version “9.9.9” here.');
  });

  it('does not exist for names that are published or reserved here, evicted, removed or of another upstream', async () => {
    const owner = await site.addUser('mira');
    for (const name of ['own_crate', 'acme-x', 'plain']) await site.cacheCrate([{ name, version: '9.0.0' }]);
    await site.publish(owner, { name: 'own-crate', version: '1.0.0' });
    await site.store.records.addReservedName({ pattern: 'acme-*', reason: null, atMs: 1 });
    await site.cacheCrate([{ name: 'other', version: '1.0.0' }], { upstream: 'https://other.invalid/' });
    const status = async (name: string): Promise<number> =>
      (await site.browser().get(`/crates/${name}`)).status;
    expect([await status('acme-x'), await status('other'), await status('unknown')]).toEqual([404, 404, 404]);
    expect(await textOf('/crates/own_crate')).not.toContain('crates.io');
    const [use] = await site.store.records.listLeastUsedMirrored(1);
    if (use?.kind !== 'index') throw new Error('no index file');
    for (const each of await site.store.records.listLeastUsedMirrored(10))
      await site.store.records.evictMirrored(each);
    expect(await status('plain')).toBe(404);
  });
});

describe('the tabs of a cached crate', () => {
  it('list the versions with their state, and the size of cached archives', async () => {
    const pubtime = new Date(site.nowMs - 3 * DAY_MS).toISOString().replace(/\.\d+/, '');
    await site.cacheCrate(
      [loud('1.0.0', { index: { pubtime }, rust_version: '1.65' }), loud('1.1.0', { yanked: true })],
      {
        archives: ['1.0.0'],
      },
    );
    const shown = await textOf('/crates/Loud/versions');
    expect(shown).toMatch(/1\.1\.0 yanked not yet 1\.0\.0 3 days ago 1\.65 \d+(?:\.\d)? K?i?B/);
  });

  it('have pages for many versions', async () => {
    await site.cacheCrate(Array.from({ length: 130 }, (_, at) => ({ name: 'many', version: `0.${at}.0` })));
    expect(await textOf('/crates/many/versions?page=2')).toMatch(
      /0\.29\.0 .*0\.0\.0 not yet Previous Page 2 of 2/,
    );
  });

  it('list dependencies with links to cached crates, else to crates.io', async () => {
    await site.cacheCrate([{ name: 'Known', version: '1.0.0' }]);
    const deps = [
      'known ^1.2',
      { name: 'missing', req: '2', optional: true },
      { name: 'short', package: 'real-name', req: '3', kind: 'dev' },
    ] as const;
    await site.cacheCrate([loud('1.0.0', { deps })]);
    const { text } = await site.browser().get('/crates/Loud/dependencies');
    expect(text).toContain('<a href="/crates/known">known</a>');
    expect(text).toContain(
      '<a href="https://crates.io/crates/missing" rel="noopener noreferrer">missing</a>',
    );
    expect(await textOf('/crates/Loud/dependencies')).toMatch(
      /Development dependencies .* real-name on crates\.io 3 renamed to short/,
    );
  });

  it('list the features of old and new clients', async () => {
    const index = { features2: { full: ['dep:extra', 'base'] } };
    const deps = [{ name: 'extra', req: '1', optional: true }];
    await site.cacheCrate([loud('1.0.0', { deps, features: { base: [], default: ['base'] }, index })]);
    const shown = await textOf('/crates/Loud/features');
    expect(shown).toMatch(
      /default base base default nothing else full dep:extra , base Optional dependencies extra/,
    );
  });

  it('say so if the index entry has an unexpected form', async () => {
    await site.cacheCrate([loud('1.0.0', { index: { features: [1] } })]);
    expect(await textOf('/crates/Loud/features')).toContain('cannot be shown here');
  });
});

describe('versions that the gates refuse', () => {
  it('are marked, and are not the shown version', async () => {
    await reopen({ gates: { ...NO_GATES, minAgeMs: 3 * DAY_MS, blocked: ['loud@1.1.0'] } });
    const pubtime = new Date(site.nowMs - DAY_MS).toISOString().replace(/\.\d+/, '');
    await site.cacheCrate([loud('1.0.0'), loud('1.1.0'), loud('1.2.0', { index: { pubtime } })]);
    expect(await textOf('/crates/Loud')).toContain('Loud 1.0.0');
    expect(await textOf('/crates/Loud/versions')).toMatch(
      /1\.2\.0 too new until 2026-03-16 09:26 UTC .*1\.1\.0 blocked .*1\.0\.0/,
    );
    expect(await textOf('/crates/Loud/1.1.0')).toContain('This registry blocks this version.');
    expect(await textOf('/crates/Loud/1.2.0')).toContain('which serves it from 2026-03-16 09:26 UTC on');
    const { text } = await site.browser().get('/crates/Loud/1.1.0');
    expect(text).not.toContain('cargo add');
  });
});

describe('lists', () => {
  beforeEach(async () => {
    const owner = await site.addUser('mira');
    await site.publish(owner, { name: 'serde-of-acme', version: '1.0.0' });
    for (const name of ['serde', 'serde_json', 'Inflector'])
      await site.cacheCrate([{ name, version: '1.0.5' }]);
  });

  it('show cached crates after those of a search, by a part of the name', async () => {
    const shown = await textOf('/?q=SERDE');
    expect(shown).toMatch(
      /1 crate for “SERDE” .*serde-of-acme .*Cached from crates\.io serde 1\.0\.5 from crates\.io .*serde_json/,
    );
    expect(await textOf('/?q=infl')).toMatch(/No crates published here for “infl” .*Inflector 1\.0\.5/);
    expect(await textOf('/?q=json')).toMatch(/No crates published here for “json” .*serde_json 1\.0\.5/);
    expect(await textOf('/?q=serde-js')).toContain('serde_json');
    expect(await textOf('/?q=xjson')).toContain('No crates found');
    expect(await textOf('/?q=serde+json')).not.toContain('Cached from');
    expect(await textOf('/?q=owner:mira')).not.toContain('Cached from');
  });

  it('show the crates first whose names begin with the text of a search', async () => {
    for (let at = 0; at < 12; at += 1)
      await site.cacheCrate([{ name: `a${String(at).padStart(2, '0')}-serde`, version: '1.0.0' }]);
    const shown = await textOf('/?q=serde');
    expect(shown).toMatch(/Cached from crates\.io serde .*serde_json .*a00-serde .*a07-serde .*See all/);
    expect(shown).not.toContain('a08-serde');
    const all = await textOf('/crates?from=upstream&q=serde');
    expect(all).toMatch(/Names that contain serde .*a00-serde .*a11-serde .*serde_json/);
  });

  it('show cached crates after all crates, and on a page of their own', async () => {
    expect(await textOf('/crates')).toMatch(
      /serde-of-acme .*Cached from crates\.io Inflector .*serde .*serde_json/,
    );
    expect(await textOf('/crates?from=upstream')).toMatch(/^Crates from crates\.io .*Inflector .*serde_json/);
    const rest = await textOf('/crates?from=upstream&after=inflector');
    expect(rest).not.toContain('Inflector');
    expect(rest).toContain('First page');
    expect((await site.browser().get('/crates?from=upstream&after=%27x')).status).toBe(404);
  });

  it('show the descriptions in cached archives that this registry serves', async () => {
    const allowedLicenses = ['MIT'];
    await reopen({ gates: { ...NO_GATES, blocked: ['loud-blocked@1.1.0'], allowedLicenses } });
    const described = (name: string, text: string, license = 'MIT'): CrateDecl => ({
      ...{ name, version: '1.0.0', files: { 'src/lib.rs': '' } },
      extra: `description = "${text}"\nlicense = "${license}"`,
    });
    const cache = (name: string, text: string, license?: string): Promise<void> =>
      site.cacheCrate([described(name, text, license)], { archives: ['1.0.0'] });
    await cache('loud-a', 'Makes <a> loud');
    await cache('loud-gpl', 'Not for us', 'GPL-3.0-only');
    await site.cacheCrate(
      [described('Loud-blocked', 'Was good'), { ...described('Loud-blocked', 'Is bad'), version: '1.1.0' }],
      { archives: ['1.0.0', '1.1.0'] },
    );
    await site.cacheCrate([described('loud-index', 'Only in the archive')]);
    const pages: string[] = [];
    const read = async (address: string): Promise<string> => {
      const shown = await textOf(address);
      pages.push(shown);
      return shown;
    };
    for (const address of ['/?q=loud', '/crates', '/crates?from=upstream']) {
      // On a busy machine, the first pages can lack descriptions.
      await expect.poll(() => read(address), { timeout: 30_000 }).toMatch(/loud-a 1\.0\.0 .*Was good/);
      const shown = await read(address);
      expect(shown).toMatch(/loud-a 1\.0\.0 from crates\.io Makes &lt;a&gt; loud compared/);
      expect(shown).toMatch(/Loud-blocked 1\.0\.0 from crates\.io Was good compared/);
      expect(shown).toMatch(/loud-gpl 1\.0\.0 from crates\.io compared/);
      expect(shown).toMatch(/loud-index 1\.0\.0 from crates\.io compared/);
    }
    expect(pages.join()).not.toMatch(/Not for us|Is bad/);
  });

  it('have pages of cached crates', async () => {
    for (let at = 0; at < 55; at += 1)
      await site.cacheCrate([{ name: `a${String(at).padStart(2, '0')}`, version: '1.0.0' }]);
    const { text } = await site.browser().get('/crates?from=upstream');
    const next = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(next).toBe('/crates?from=upstream&after=a49');
    expect(await textOf(next)).toMatch(/a50 .*serde_json/);
  });
});

it('without an upstream, cached crates have no pages', async () => {
  await site.cacheCrate([loud('1.0.0')]);
  const { makePagesSite } = await import('../../../helpers/pages-site.ts');
  const other = await makePagesSite({}, { records: site.store.records });
  expect((await other.browser().get('/crates/Loud')).status).toBe(404);
  expect((await other.browser().get('/crates?from=upstream')).status).toBe(404);
  await other[Symbol.asyncDispose]();
});
