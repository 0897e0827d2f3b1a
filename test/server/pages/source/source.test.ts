import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourcePath } from '../../../../src/server/pages/shared/paths.ts';
import type { User } from '../../../../src/server/store/values.ts';
import { oddEntry, oddTar } from '../../../helpers/odd-tar.ts';
import { makePagesSite, type PagesSite, type TestPage } from '../../../helpers/pages-site.ts';
import { addReef, packFiles, PNG } from '../../../helpers/source-crates.ts';
import { CODE_ATTACKS, expectInert, NAME_ATTACKS } from '../source-attacks.ts';

let site: PagesSite;
let owner: User;

beforeAll(async () => {
  site = await makePagesSite();
  owner = await site.addUser('mira');
  await addReef(site, owner);
});

afterAll(async () => site[Symbol.asyncDispose]());

const SOURCE = '/crates/reef/1.1.0/source';

async function page(address: string, headers: Record<string, string> = {}): Promise<TestPage> {
  return site.browser().get(address, headers);
}

async function textOf(address: string): Promise<string> {
  const { status, text } = await page(address);
  expect(status, address).toBe(200);
  return text;
}

describe('the list of files of a version', () => {
  it('shows the manifest of the authors first, then folders, then files, with their sizes', async () => {
    const text = await textOf(SOURCE);
    const names = [...text.matchAll(/class="path"[^>]*>([^<]+)</g)].map(([, name]) => name);
    expect(names).toEqual([
      ...[
        'Cargo.toml.orig',
        'docs',
        'reef.png',
        'src',
        'bin',
        'reefd.rs',
        'data',
        'table.bin',
        'lib.rs',
        'new.rs',
      ],
      ...['.cargo_vcs_info.json', 'Cargo.lock', 'Cargo.toml', 'README.md'],
    ]);
    expect(text).toContain('<title>Source of reef 1.1.0 · Crate registry</title>');
    expect(text).toContain('10 files, ');
    expect(text).toMatch(/table\.bin<\/a><\/span> <span class="size">3 B</);
    expect(text).toContain('<li><h2 aria-current="page">reef-1.1.0</h2></li>');
  });

  it('can show one folder', async () => {
    const text = await textOf(`${SOURCE}/src/`);
    expect(text).toContain(`<a href="${SOURCE}">reef-1.1.0</a>`);
    expect(text).not.toContain('README.md</a>');
  });

  it('can be filtered by name', async () => {
    const text = await textOf(`${SOURCE}?q=.RS`);
    expect(text).toContain('3 files for “.RS”');
    expect([...text.matchAll(/class="path"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual([
      'src/bin/reefd.rs',
      'src/lib.rs',
      'src/new.rs',
    ]);
    expect(await textOf(`${SOURCE}?q=<b>`)).toContain('0 files for “&lt;b&gt;”');
  });

  it('links folders instead of showing all files of a large crate', async () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`a/${i % 3}/f${i}`, '']));
    const more = Object.fromEntries(Array.from({ length: 2100 }, (_, i) => [`b/f${i}`, '']));
    await using large = await makePagesSite({
      limits: { ...site.context.settings.limits, maxFiles: 5000 },
    });
    const archive = packFiles('large-1.0.0', { ...many, ...more });
    await large.publish(await large.addUser('mira'), { name: 'large', version: '1.0.0' }, archive);
    const address = '/crates/large/1.0.0/source';
    const { text } = await large.browser().get(address);
    expect(text).toContain(`<a class="path" href="${address}/a">a</a>`);
    expect(text).not.toContain('f899');
    expect((await large.browser().get(`${address}/a`)).text).toContain(`href="${address}/a/2/f899"`);
    const folder = (await large.browser().get(`${address}/b`)).text;
    expect(folder).toContain('Only 2,000 files are shown.');
    expect(folder.match(/class="entry"/g)).toHaveLength(2000);
  });

  it('links the folders of an archive with few files in many folders', async () => {
    const folders = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`${i}/${'d/'.repeat(40)}x`, '']),
    );
    await site.publish(owner, { name: 'deep', version: '1.0.0' }, packFiles('deep-1.0.0', folders));
    const address = '/crates/deep/1.0.0/source';
    const text = await textOf(address);
    expect(text).toContain(`<a class="path" href="${address}/59">59</a>`);
    expect(text.length).toBeLessThan(100_000);
    expect(await textOf(`${address}/59`)).toContain(`href="${address}/59/${'d/'.repeat(40)}x"`);
  });
});

describe('the page of a file', () => {
  it('shows highlighted code with numbered lines', async () => {
    const text = await textOf(`${SOURCE}/src/lib.rs`);
    expect(text).toContain('<title>src/lib.rs · reef 1.1.0 · Crate registry</title>');
    expect(text).toContain(
      '<span class="row" id="L2"><a href="#L2" aria-label="Line 2">2</a><span class="hl-keyword">use</span>',
    );
    expect(text).toContain(`href="${SOURCE}/src/lib.rs?raw"`);
    expect(text).toContain('36 lines');
  });

  it('explains the two manifests', async () => {
    expect(await textOf(`${SOURCE}/Cargo.toml`)).toContain(
      'This manifest was generated when the crate was packaged.',
    );
    expect(await textOf(`${SOURCE}/Cargo.toml.orig`)).toContain(
      'This is the manifest as its authors wrote it.',
    );
  });

  it('shows images through the raw file, and no other files that are not text', async () => {
    expect(await textOf(`${SOURCE}/docs/reef.png`)).toContain(
      `<img src="${SOURCE}/docs/reef.png?raw" alt="The image docs/reef.png">`,
    );
    const binary = await textOf(`${SOURCE}/src/data/table.bin`);
    expect(binary).toContain('This file is not text.');
    expect(binary).not.toContain('?raw');
    expect(binary).toContain('table.bin?download"');
  });

  it('shows no file of more than 512 KiB or 20,000 lines', async () => {
    const files = {
      big: 'x'.repeat(512 * 1024 + 1),
      fits: 'x'.repeat(512 * 1024),
      long: '\n'.repeat(20_001),
    };
    await site.publish(owner, { name: 'huge', version: '1.0.0' }, packFiles('huge-1.0.0', files));
    for (const name of ['big', 'long']) {
      const text = await textOf(`/crates/huge/1.0.0/source/${name}`);
      expect(text).toContain('This file is too large to be shown.');
      expect(text.length).toBeLessThan(20_000);
    }
    expect((await textOf('/crates/huge/1.0.0/source/fits')).length).toBeGreaterThan(512 * 1024);
  });

  it('warns about hidden characters', async () => {
    const files = { 'src/lib.rs': 'let a = "\u202e"; // x\n', 'windows.txt': 'a\r\nb\r\n' };
    await site.publish(owner, { name: 'trojan', version: '1.0.0' }, packFiles('trojan-1.0.0', files));
    const text = await textOf('/crates/trojan/1.0.0/source/src/lib.rs');
    expect(text).toContain('This file contains invisible characters');
    expect(text).not.toContain('\u202e');
    expect(await textOf('/crates/trojan/1.0.0/source/windows.txt')).not.toContain('invisible');
  });

  it('shows no file whose hidden characters would make a page of many megabytes', async () => {
    const files = { mac: 'a\r'.repeat(100_000), some: 'a\r'.repeat(1000) };
    await site.publish(owner, { name: 'returns', version: '1.0.0' }, packFiles('returns-1.0.0', files));
    const address = '/crates/returns/1.0.0/source';
    expect(await textOf(`${address}/mac`)).toContain('This file is too large to be shown.');
    expect(await textOf(`${address}/some`)).toContain('a<span class="hidden-character">U+000D</span>a');
  });

  it('redirects to the exact spelling of the crate', async () => {
    const { status, headers } = await page('/crates/Reef/1.1.0/source/src/lib.rs?x=1');
    expect([status, headers.get('location')]).toEqual([303, `${SOURCE}/src/lib.rs?x=1`]);
  });

  it('is a 404 for paths that are not in the archive', async () => {
    for (const path of [
      '/nope',
      '/src/lib.rs/x',
      '/src//lib.rs',
      '/%E0%A4%A',
      '/..%2fCargo.toml',
      '/src/lib.rs%00',
    ])
      expect((await page(SOURCE + path)).status, path).toBe(404);
    expect((await page('/crates/reef/9.9.9/source')).status).toBe(404);
    expect((await page('/crates/nope/1.0.0/source/x?raw')).status).toBe(404);
  });
});

describe('raw files', () => {
  it('are always plain text in a sandbox', async () => {
    const files = {
      'x.html': '<script>alert(1)</script>',
      'x.svg': '<svg onload="alert(1)"/>',
      'x.js': 'alert(1)',
    };
    await site.publish(owner, { name: 'active', version: '1.0.0' }, packFiles('active-1.0.0', files));
    for (const [name, content] of Object.entries(files)) {
      const { status, text, headers } = await page(`/crates/active/1.0.0/source/${name}?raw`);
      expect([status, text]).toEqual([200, content]);
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(headers.get('content-disposition')).toBe('inline');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe(
        "sandbox; default-src 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  it('are images with their own type if the content is one', async () => {
    await site.publish(
      owner,
      { name: 'images', version: '1.0.0' },
      packFiles('images-1.0.0', { 'a.txt': PNG, 'b.png': '<script>alert(1)</script>' }),
    );
    const image = await page('/crates/images/1.0.0/source/a.txt?raw');
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(image.headers.get('content-security-policy')).toContain('sandbox');
    const text = await page('/crates/images/1.0.0/source/b.png?raw');
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('can be saved under their names', async () => {
    const { headers } = await page(`${SOURCE}/src/data/table.bin?download`);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''table.bin");
  });

  it('are not sent again to a browser that has them', async () => {
    const { headers } = await page(`${SOURCE}/src/lib.rs?raw`);
    const etag = headers.get('etag') ?? '';
    const again = await page(`${SOURCE}/src/lib.rs?raw`, { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await page(`${SOURCE}/src/new.rs?raw`, { 'if-none-match': etag })).status).toBe(200);
  });

  it('do not count as downloads', async () => {
    expect((await site.store.records.findCrate('reef'))?.downloads).toBe(0);
  });
});

describe('an archive', () => {
  it.each([
    ['that is none', Buffer.from('no archive')],
    ['with a link', gzipSync(oddTar(oddEntry({ path: 'odd-1.0.0/x', type: '2' })))],
    ['that is cut off', packFiles('odd-1.0.0', { x: 'x' }).subarray(0, -20)],
  ])('%s gives a page that says why, also for its files', async (_, archive) => {
    await using own = await makePagesSite();
    await own.publish(await own.addUser('mira'), { name: 'odd', version: '1.0.0' }, archive);
    for (const path of ['', '/x', '/x?raw']) {
      const { status, text } = await own.browser().get(`/crates/odd/1.0.0/source${path}`);
      expect(status).toBe(404);
      expect(text).toContain('The archive of this version cannot be shown: ');
    }
    expect(own.logged).toEqual([]);
  });

  it('with markup in a name gives a page without it', async () => {
    const archive = gzipSync(oddTar(oddEntry({ path: 'odd-1.0.0/<img src=x onerror=alert(1)>' })));
    await site.publish(owner, { name: 'odd', version: '1.0.0' }, archive);
    const { text } = await page('/crates/odd/1.0.0/source');
    expect(text).toContain('&lt;img src=x');
    expect(text).not.toContain('<img src=x');
  });

  it('that is missing gives the page for failures', async () => {
    await using own = await makePagesSite();
    await own.publish(
      await own.addUser('mira'),
      { name: 'gone', version: '1.0.0' },
      packFiles('gone-1.0.0', {}),
    );
    const version = await own.store.records.findVersion('gone', '1.0.0');
    await own.store.blobs.delete(version?.blobKey ?? '');
    const { status, text } = await own.browser().get('/crates/gone/1.0.0/source');
    expect(status).toBe(500);
    expect(text).toContain('Something went wrong');
  });

  it('cannot inject anything by its names and contents', async () => {
    const code = CODE_ATTACKS.join('\n');
    const files = Object.fromEntries(NAME_ATTACKS.map((name) => [name, code]));
    await site.publish(owner, { name: 'attacks', version: '1.0.0' }, packFiles('attacks-1.0.0', files));
    const version = { crate: 'attacks', version: '1.0.0' };
    const addresses = ['', ...NAME_ATTACKS].map((path) => sourcePath(version, path));
    for (const address of addresses) {
      expectInert(await textOf(address));
    }
  });
});

it('source code requires a sign-in if the registry is private', async () => {
  await using own = await makePagesSite({ authRequired: true });
  await addReef(own, await own.addUser('mira'));
  for (const path of ['', '/src/lib.rs', '/src/lib.rs?raw', '/docs/reef.png?raw', '/src/lib.rs?download']) {
    const { status, headers, text } = await own.browser().get(SOURCE + path);
    expect([status, text], path).toEqual([303, '']);
    expect(headers.get('location')).toMatch(/^\/sign-in/);
  }
  const browser = own.browser();
  await browser.signIn('mira');
  expect((await browser.get(`${SOURCE}/src/new.rs?raw`)).text).toContain('LIMIT');
});
