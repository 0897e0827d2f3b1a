import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CrateDecl } from '../../../helpers/crate.ts';
import { makeMirrorSite, type MirrorSite } from '../../../helpers/mirror-site.ts';
import { NO_GATES } from '../../../helpers/mirror.ts';
import { packFiles } from '../../../helpers/source-crates.ts';

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

async function status(address: string): Promise<number> {
  return (await site.browser().get(address)).status;
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

function loud(version: string, more: Partial<CrateDecl> = {}): CrateDecl {
  const files = { 'src/lib.rs': `pub const VERSION: &str = "${version}";\n` };
  return { name: 'Loud', version, extra: 'license = "MIT"', files, ...more };
}

/** Caches four versions, and the archives of three. */
async function cacheLoud(): Promise<void> {
  const newer = { extra: 'license = "Apache-2.0"', deps: ['quiet 2'] };
  await site.cacheCrate([loud('1.0.0'), loud('1.1.0'), loud('1.2.0', newer), loud('1.3.0')], {
    archives: ['1.0.0', '1.1.0', '1.2.0'],
  });
}

describe('the source code of a cached crate', () => {
  beforeEach(cacheLoud);

  it('has pages for its files, with links from the pages of the crate', async () => {
    const { text } = await site.browser().get('/crates/Loud/1.2.0');
    expect(text).toContain('href="/crates/Loud/1.2.0/source"');
    expect(await textOf('/crates/Loud/1.2.0/source')).toMatch(/from crates\.io .*Compare versions .*lib\.rs/);
    const shown = await textOf('/crates/Loud/1.2.0/source/src/lib.rs');
    expect(shown).toContain('VERSION');
    expect(shown).toContain('This crate comes from crates.io.');
    expect(await status('/crates/Loud/1.2.0/source/src/other.rs')).toBe(404);
  });

  it('has raw files, which browsers do not run', async () => {
    const raw = await site.browser().get('/crates/loud/1.1.0/source/src/lib.rs?raw');
    expect([raw.status, raw.text]).toEqual([200, 'pub const VERSION: &str = "1.1.0";\n']);
    expect(raw.headers.get('content-security-policy')).toMatch(/^sandbox/);
  });

  it('does not exist for a version whose archive is not cached, and the page says how that changes', async () => {
    const { text } = await site.browser().get('/crates/Loud/1.3.0');
    expect(text).not.toContain('/source');
    for (const query of ['', '/src/lib.rs', '/src/lib.rs?raw']) {
      const address = `/crates/Loud/1.3.0/source${query}`;
      expect(await status(address)).toBe(404);
      expect(await textOf(address)).toContain(
        'The file of Loud 1.3.0 is not cached here. Its source code appears when cargo or tsreg has downloaded this version',
      );
    }
    expect(await textOf('/crates/Loud/9.9.9/source')).toContain('has no version “9.9.9” here');
  });

  it('does not exist if the archive is gone from the store', async () => {
    const archives = await site.store.records.listLeastUsedMirrored(10);
    for (const use of archives)
      if (use.kind === 'archive') await site.store.blobs.delete(use.archive.blobKey);
    expect(await textOf('/crates/Loud/1.2.0/source')).toContain('is not cached here');
  });

  it('does not exist if the cache evicts the archive before it is read, and this is no error of the server', async () => {
    site.store.blobs.open = () => Promise.resolve(null);
    for (const path of ['1.2.0/source', '1.2.0/source/src/lib.rs?raw', 'compare/1.1.0...1.2.0']) {
      expect(await status(`/crates/Loud/${path}`), path).toBe(404);
      expect(await textOf(`/crates/Loud/${path}`)).toContain('Not cached yet');
    }
    expect(site.logged.map(({ event }) => event)).not.toContain('blob-missing');
    expect(site.logged.map(({ event }) => event)).not.toContain('page-failed');
  });

  it('redirects another case of the name', async () => {
    const { headers } = await site.browser().get('/crates/loud/1.2.0/source/src');
    expect(headers.get('location')).toBe('/crates/Loud/1.2.0/source/src');
  });

  it('is that of this registry once somebody publishes the name here', async () => {
    const owner = await site.addUser('mira');
    await site.publish(owner, { name: 'Loud', version: '1.1.0' }, packFiles('Loud-1.1.0', { 'own.rs': '' }));
    expect(await textOf('/crates/Loud/1.1.0/source')).toContain('own.rs');
    expect(await textOf('/crates/Loud/1.2.0/source')).toContain('has no version “1.2.0” here');
  });
});

describe('a comparison of cached versions', () => {
  beforeEach(cacheLoud);

  it('shows the facts, dependencies and files that differ', async () => {
    const shown = await textOf('/crates/Loud/compare/1.1.0...1.2.0');
    expect(shown).toContain('Changes from 1.1.0 to 1.2.0');
    expect(shown).toContain('License MIT Apache-2.0 changed');
    expect(shown).toMatch(/quiet added .*2/);
    expect(shown).toContain('src/lib.rs');
  });

  it('offers only versions whose archives are cached', async () => {
    expect(await textOf('/crates/Loud/versions')).toContain('Compare two cached versions');
    const { headers } = await site.browser().get('/crates/Loud/compare');
    expect(headers.get('location')).toBe('/crates/Loud/compare/1.1.0...1.2.0');
    const { text } = await site.browser().get('/crates/Loud/compare/1.0.0...1.2.0');
    expect(text).toContain('<option selected>1.2.0</option>');
    expect(text).not.toContain('<option>1.3.0</option>');
    expect(await textOf('/crates/Loud/compare/1.2.0...1.3.0')).toContain(
      'The file of Loud 1.3.0 is not cached',
    );
  });

  it('does not exist while no archive is cached', async () => {
    await site.cacheCrate([{ name: 'bare', version: '1.0.0' }]);
    expect(await status('/crates/bare/compare')).toBe(404);
    expect(await textOf('/crates/bare/compare')).toContain('No file of bare is cached here.');
    expect(await textOf('/crates/bare/versions')).not.toContain('Compare');
  });

  it('says so if an index entry has an unexpected form', async () => {
    const odd = { name: 'odd', version: '1.0.0', index: { features: [1] } };
    await site.cacheCrate([odd, { name: 'odd', version: '1.1.0' }], { archives: ['1.0.0', '1.1.0'] });
    expect(await textOf('/crates/odd/compare/1.0.0...1.1.0')).toContain(
      'The index entry of odd 1.0.0 cannot be shown',
    );
  });
});

describe('the gates', () => {
  const PATHS = ['source', 'source/src/lib.rs', 'source/src/lib.rs?raw', 'source/src/lib.rs?download'];

  it('refuse the source code of versions that are blocked or too new', async () => {
    await reopen({ gates: { ...NO_GATES, minAgeMs: 3 * DAY_MS, blocked: ['loud@1.1.0'] } });
    const pubtime = new Date(site.nowMs - DAY_MS).toISOString().replace(/\.\d+/, '');
    const versions = [loud('1.0.0'), loud('1.1.0'), loud('1.2.0', { index: { pubtime } })];
    await site.cacheCrate(versions, { archives: ['1.0.0', '1.1.0', '1.2.0'] });
    for (const version of ['1.1.0', '1.2.0']) {
      for (const path of PATHS) expect(await status(`/crates/Loud/${version}/${path}`), path).toBe(403);
      const compared = await site.browser().get(`/crates/Loud/compare/1.0.0...${version}`);
      expect([compared.status, compared.text.includes('VERSION')]).toEqual([403, false]);
      expect((await site.browser().get(`/crates/Loud/${version}`)).text).not.toContain(`${version}/source`);
    }
    expect(await textOf('/crates/Loud/1.1.0/source')).toContain('This registry blocks this version.');
    expect(await status('/crates/Loud/1.0.0/source')).toBe(200);
    expect(await textOf('/crates/Loud/versions')).not.toContain('Compare');
  });

  it('hide the readme of a refused version', async () => {
    await reopen({ gates: { ...NO_GATES, blocked: ['loud@1.1.0'] } });
    const withReadme = (version: string) => loud(version, { files: { 'README.md': `Read ${version}` } });
    const archives = ['1.0.0', '1.1.0'];
    await site.cacheCrate([withReadme('1.0.0'), withReadme('1.1.0')], { archives });
    const shown = await textOf('/crates/Loud/1.1.0');
    expect(shown).not.toContain('Read 1.1.0');
    expect(shown).toContain('This readme is from version 1.0.0');
  });

  it('hide the readme of a version with a refused license, also before its license was read', async () => {
    await reopen({ gates: { ...NO_GATES, deniedLicenses: ['AGPL-3.0'] } });
    const withReadme = (version: string, license: string): CrateDecl =>
      loud(version, {
        extra: `license = "${license}"\ndescription = "About ${version}"`,
        files: { 'README.md': `Read ${version}` },
      });
    const versions = [withReadme('1.0.0', 'MIT'), withReadme('1.1.0', 'AGPL-3.0')];
    await site.cacheCrate(versions, { archives: ['1.0.0', '1.1.0'] });
    const { text } = await site.browser().get('/crates/Loud/1.1.0');
    for (const hidden of ['Read 1.1.0', 'About 1.1.0', '1.1.0/source']) expect(text).not.toContain(hidden);
    const shown = await textOf('/crates/Loud/1.1.0');
    expect(shown).toContain('its license is AGPL-3.0');
    expect(shown).toContain('This readme is from version 1.0.0');
  });

  it('show the refusal of a version whose license was not read before', async () => {
    await reopen({ gates: { ...NO_GATES, deniedLicenses: ['MIT'] } });
    await cacheLoud();
    expect(await textOf('/crates/Loud/1.1.0')).toMatch(/not served .*its license is MIT/);
  });

  it('refuse pages while too many wait for licenses, and show crates without their readmes', async () => {
    await reopen({ gates: { ...NO_GATES, deniedLicenses: ['AGPL-3.0'] } });
    const numbers = Array.from({ length: 20 }, (_, index) => `1.${index}.0`);
    await site.cacheCrate(
      numbers.map((number) => loud(number, { files: { 'README.md': `Read ${number}` } })),
      {
        archives: numbers,
      },
    );
    const { blobs } = site.store;
    const openBlob = blobs.open.bind(blobs);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    blobs.open = async (...parameters) => {
      await released;
      return openBlob(...parameters);
    };
    const statuses: number[] = [];
    const asked = numbers.map(async (number) => {
      statuses.push(await status(`/crates/Loud/${number}/source/README.md?raw`));
    });
    // One is being read. A client may have half of the 32 places in the queue.
    await vi.waitFor(() => expect(statuses).toEqual([503, 503, 503]));
    expect(await textOf('/crates/Loud/1.3.0')).toContain(
      'The file of this crate cannot be read at the moment.',
    );
    release();
    await Promise.all(asked);
    expect(statuses.filter((code) => code === 200)).toHaveLength(17);
    expect(await textOf('/crates/Loud/1.3.0')).toContain('Read 1.3.0');
  });

  it('refuse the source code because of a license that only the archive states', async () => {
    await reopen({ gates: { ...NO_GATES, deniedLicenses: ['MIT'] } });
    await cacheLoud();
    for (const path of PATHS) expect(await status(`/crates/Loud/1.1.0/${path}`), path).toBe(403);
    expect(await textOf('/crates/Loud/1.1.0/source')).toContain('its license is MIT');
    expect(await status('/crates/Loud/1.2.0/source')).toBe(200);
  });
});

it('strangers of a private registry see no source code of cached crates', async () => {
  await reopen({ server: { authRequired: true } });
  await cacheLoud();
  const paths = ['1.2.0/source', '1.2.0/source/src/lib.rs?raw', 'compare', 'compare/1.1.0...1.2.0'];
  for (const path of paths) {
    const { status: code, headers } = await site.browser().get(`/crates/Loud/${path}`);
    expect([path, code, headers.get('location')?.startsWith('/sign-in')]).toEqual([path, 303, true]);
  }
  await site.addUser('mira');
  const browser = site.browser();
  await browser.signIn('mira');
  expect((await browser.get('/crates/Loud/1.2.0/source')).status).toBe(200);
});

describe('the page of a crate that is neither here nor cached', () => {
  it('says that it may come from the upstream', async () => {
    for (const path of ['', '/1.0.0', '/1.0.0/source', '/compare']) {
      expect(await status(`/crates/serde${path}`)).toBe(404);
      const { text } = await site.browser().get(`/crates/serde${path}`);
      expect(text, path).toContain('It may be a crate of crates.io. Its page appears here when');
      expect(text).toContain('href="https://crates.io/crates/serde"');
    }
  });

  it('says so for another upstream without a link to crates.io', async () => {
    await reopen({ url: 'sparse+https://crates.example.com/index/' });
    const { text } = await site.browser().get('/crates/serde');
    expect(text).toContain('It may be a crate of crates.example.com.');
    expect(text).not.toContain('https://crates.io');
  });

  it('does not say so for reserved, blocked and impossible names, and offline', async () => {
    await reopen({ gates: { ...NO_GATES, blocked: ['serde'] } });
    await site.store.records.addReservedName({ pattern: 'acme-*', reason: null, atMs: 1 });
    for (const name of ['acme-x', 'a%20b', 'x'.repeat(65)])
      expect(await textOf(`/crates/${name}`)).not.toContain('It may be');
    expect(await textOf('/crates/serde')).toContain('This registry blocks this name.');
    await reopen({ isOffline: true });
    expect(await textOf('/crates/serde')).not.toContain('It may be');
  });
});

describe('the list of cached crates', () => {
  const long = (name: string, length: number): CrateDecl => ({
    ...{ name, version: '1.0.5' },
    index: { features: { long: Array.from({ length }, () => 'x'.repeat(1000)) } },
  });

  it('shows the version of a crate whose index file is large', async () => {
    await site.cacheCrate([long('Large', 900)]);
    expect(await textOf('/crates?from=upstream')).toContain('Large 1.0.5');
  });

  it('reads a limited number of bytes for each request', async () => {
    for (const name of ['a1', 'a2', 'a3']) await site.cacheCrate([long(name, 6000)]);
    const first = await textOf('/crates?from=upstream');
    expect(first).toMatch(/a1 1\.0\.5 .*a2 1\.0\.5 .*a3 from/);
    // The others are in memory now.
    expect(await textOf('/crates?from=upstream')).toMatch(/a1 1\.0\.5 .*a2 1\.0\.5 .*a3 1\.0\.5/);
  });
});
