import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDemoCrates, dependency } from '../../../helpers/demo-crates.ts';
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

describe('the pages of a crate', () => {
  it('links dependencies to this registry or crates.io, with the version that each selects today', async () => {
    const dependencies = [
      dependency('Tidepool', { versionReq: '>=0.1, <1' }),
      dependency('tidepool', { kind: 'dev' }),
      dependency('shell_part_1', { versionReq: '^9' }),
      dependency('libc'),
      dependency('serde', {
        versionReq: '>=1, <3',
        registry: 'https://github.com/rust-lang/crates.io-index',
      }),
      dependency('x', { versionReq: '^1', registry: 'sparse+https://index.crates.io/' }),
      dependency('other', { registry: 'sparse+https://index.example/' }),
    ];
    const owner = await site.addUser('dora');
    await site.publish(owner, { name: 'limpet', version: '1.0.0', dependencies });
    const text = await page('/crates/limpet/dependencies');
    const rows = [...text.matchAll(/<tr[^>]*>[^]*?<\/tr>/g)]
      .map(([row]) => row)
      .filter((row) => row.includes('<td'));
    const cellsOf = (row: string): readonly (string | undefined)[] =>
      [...row.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
    expect(rows.map(cellsOf)).toEqual([
      // The requirement selects neither 0.2.0, which is yanked, nor a pre-release.
      ['/crates/tidepool', '/crates/tidepool/0.1.0'],
      ['/crates/shell-part-1'],
      [],
      ['https://crates.io/crates/serde', 'https://docs.rs/serde/%3E%3D1%2C%20%3C3'],
      ['https://crates.io/crates/x', 'https://docs.rs/x/%5E1'],
      [],
      ['/crates/tidepool', '/crates/tidepool/1.1.0'],
    ]);
    expect(rows[1]).toContain('<span class="badge bad">no version</span>');
    expect(rows[2]).toContain('not published here');
    expect(rows[5]).toContain('from index.example/');
  });

  it('shows facts about each version, and compares it with the one before it', async () => {
    const text = await page('/crates/tidepool/versions');
    const [, first = ''] = text.split('<tr><td class="name">');
    for (const part of [
      '<span class="nowrap">1.74</span>',
      'MIT OR Apache-2.0',
      '<td class="number" data-label="Size">8.8 KiB</td>',
      'by <a href="/users/mira">mira</a>',
    ])
      expect(first).toContain(part);
    const links = [...text.matchAll(/<a href="([^"]+)"><span class="silent">Compare /g)].map(
      ([, href]) => href,
    );
    expect(links).toEqual([
      '/crates/tidepool/compare/1.0.0...1.1.0',
      '/crates/tidepool/compare/0.3.0-rc.1...1.0.0',
      '/crates/tidepool/compare/0.2.0...0.3.0-rc.1',
      '/crates/tidepool/compare/0.1.0...0.2.0',
    ]);
  });

  it('compares the last version of a page with the first one of the next page', async () => {
    const owner = await site.addUser('olga');
    for (let patch = 0; patch <= 100; patch += 1)
      await site.publish(owner, { name: 'often', version: `1.0.${patch}` });
    const text = await page('/crates/often/versions');
    expect(text.match(/<tr><td class="name">/g)).toHaveLength(100);
    expect(text).toContain('href="/crates/often/compare/1.0.0...1.0.1"');
    expect((await page('/crates/often/versions?page=2')).match(/<tr><td class="name">/g)).toHaveLength(1);
  });

  it('can show only dependents whose requirement allows a version', async () => {
    const owner = await site.addUser('pia');
    await site.publish(owner, {
      name: 'old-user',
      version: '2.0.0',
      dependencies: [dependency('tidepool', { versionReq: '^0.1.0' })],
    });
    await site.publish(owner, {
      name: 'wide-user',
      version: '3.0.0',
      dependencies: [dependency('tidepool', { versionReq: '>=0.1' })],
    });
    const listed = async (query: string): Promise<readonly (string | undefined)[]> =>
      [
        ...(await page(`/crates/tidepool/dependents${query}`)).matchAll(/<td class="name"><a [^>]+>([^<]+)/g),
      ].map(([, name]) => name);
    expect(await listed('?version=0.1')).toEqual(['limpet', 'old-user', 'wide-user']);
    expect(await listed('?version=0.2')).toEqual(['limpet', 'wide-user']);
    expect(await listed('?version=1')).toContain('tidepool-macros');
    expect(await listed('?version=1')).not.toContain('old-user');
    expect((await listed('?version=nothing')).length).toBe((await listed('')).length);
    const text = await page('/crates/tidepool/dependents?version=0.1');
    expect(text).toContain('3 crates depend on tidepool with a requirement that allows 0.1.');
    expect(text).toContain('<a href="/crates/tidepool/dependents?version=0.1" aria-current="true">0.1</a>');
    expect(await page('/crates/tidepool/dependents?version=%3Cb%3E')).toContain(
      '“&lt;b&gt;” is not a version.',
    );
    expect(await page('/crates/tidepool/dependents?version=0.0.9')).toContain(
      '0 crates depend on tidepool with',
    );
  });
});
