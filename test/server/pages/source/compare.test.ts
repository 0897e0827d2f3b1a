import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '../../../../src/server/store/values.ts';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';
import { addReef, packFiles } from '../../../helpers/source-crates.ts';
import { CODE_ATTACKS, expectInert, NAME_ATTACKS } from '../source-attacks.ts';

let site: PagesSite;
let owner: User;

beforeAll(async () => {
  site = await makePagesSite();
  owner = await site.addUser('mira');
  await addReef(site, owner);
});

afterAll(async () => site[Symbol.asyncDispose]());

const COMPARE = '/crates/reef/compare/1.0.0...1.1.0';

async function textOf(address: string): Promise<string> {
  const { status, text } = await site.browser().get(address);
  expect(status, address).toBe(200);
  return text;
}

/** Returns the texts of table cells and list items, without tags. */
function plain(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the text of the table row that begins with `name`. */
function rowOf(text: string, name: string): string {
  const rows = [...text.matchAll(/<tr[^>]*>[^]*?<\/tr>/g)].map(([row]) => plain(row));
  return rows.find((row) => row.startsWith(`${name} `)) ?? '';
}

describe('the comparison of two versions', () => {
  it('shows which facts have changed', async () => {
    const text = await textOf(COMPARE);
    expect(text).toContain('<title>1.0.0 and 1.1.0 of reef · Crate registry</title>');
    expect(rowOf(text, 'Rust version')).toBe('Rust version not stated 1.74 changed');
    expect(rowOf(text, 'Edition')).toBe('Edition 2021 2021');
    expect(rowOf(text, 'License')).toBe('License MIT MIT');
    expect(rowOf(text, 'Targets')).toBe('Targets lib reef lib reef, bin reefd changed');
    expect(rowOf(text, 'Files')).toBe('Files 10 10');
    expect(rowOf(text, 'Size')).toContain('unpacked changed');
  });

  it('shows added, removed and changed dependencies and features', async () => {
    const text = await textOf(COMPARE);
    expect(rowOf(text, 'libc')).toBe('libc changed ^0.2 ^0.2.150');
    expect(rowOf(text, 'log')).toBe('log removed ^0.4');
    expect(text).toMatch(/<code>serde<\/code>[^]*?added[^]*?<code>\^1, optional<\/code>/);
    expect(text).toMatch(/<h2>Features<\/h2>[^]*<code>serde<\/code>[^]*?added[^]*?<code>dep:serde<\/code>/);
    expect(text).not.toContain('<code>default</code>');
  });

  it('shows the changed lines of each file with their signs as text', async () => {
    const text = await textOf(COMPARE);
    expect(text).toContain('6 changed files');
    expect(text).toContain('<span class="sign">-</span>        let bytes = Vec::with_capacity(0x40);');
    expect(text).toContain('<span class="sign">+</span>        let bytes = Vec::with_capacity(0x80);');
    expect(rowOf(text, '14 -')).toContain('0x40');
    expect(plain(text)).toContain('changed src/lib.rs +2 −1');
    expect(plain(text)).toContain('changed src/data/table.bin not text, 5 B → 3 B');
  });

  it('folds generated files', async () => {
    const text = await textOf(COMPARE);
    const folded = [
      ...text.matchAll(/<details class="card diff-file" id="diff-\d+"( open)?>.*?<h3 class="path">([^<]+)/g),
    ];
    expect(folded.map(([, open, path]) => [path, open !== undefined])).toEqual([
      ['Cargo.toml', true],
      ['src/lib.rs', true],
      ['src/new.rs', true],
      ['src/old.rs', true],
      ['.cargo_vcs_info.json', false],
    ]);
  });

  it('can show both texts side by side', async () => {
    const text = await textOf(`${COMPARE}?view=split`);
    expect(rowOf(text, '14 -')).toBe(
      '14 - let bytes = Vec::with_capacity(0x40); 14 + let bytes = Vec::with_capacity(0x80);',
    );
    expect(text).toContain(`href="${COMPARE}">Unified`);
    expect(text).toContain('href="/crates/reef/compare/1.1.0...1.0.0?view=split"');
  });

  it('keeps the remark about a missing line end with its line, side by side', async () => {
    await site.publish(owner, { name: 'ends', version: '1.0.0' }, packFiles('ends-1.0.0', { x: 'a\nb' }));
    await site.publish(owner, { name: 'ends', version: '1.1.0' }, packFiles('ends-1.1.0', { x: 'a\nb\n' }));
    const text = await textOf('/crates/ends/compare/1.0.0...1.1.0?view=split');
    expect(rowOf(text, '2 -')).toBe('2 - b 2 + b');
    expect(rowOf(text, '\\')).toBe('\\ No newline at end of file');
  });

  it('says how files differ that have no changed line', async () => {
    const old = { mark: '\ufeffx\n' };
    const fresh = { mark: 'x\n', nothing: '' };
    await site.publish(owner, { name: 'marks', version: '1.0.0' }, packFiles('marks-1.0.0', old));
    await site.publish(owner, { name: 'marks', version: '1.1.0' }, packFiles('marks-1.1.0', fresh));
    const text = plain(await textOf('/crates/marks/compare/1.0.0...1.1.0'));
    expect(text).toContain('changed mark Only the byte order mark at the start differs.');
    expect(text).toContain('added nothing The file is empty.');
  });

  it('says that two equal archives have no changes', async () => {
    const text = await textOf('/crates/reef/compare/1.0.0...1.0.0');
    expect(text).toContain('Both versions contain the same files.');
    expect(text.match(/No changes\./g)).toHaveLength(2);
  });

  it('is selected with a form', async () => {
    const text = await textOf(COMPARE);
    expect(text).toContain('<option>1.1.0</option><option selected>1.0.0</option>');
    for (const [query, versions] of [
      ['?old=1.0.0&new=1.1.0', '1.0.0...1.1.0'],
      ['?old=1.1.0&new=1.0.0&view=split', '1.1.0...1.0.0?view=split'],
      ['', '1.0.0...1.1.0'],
      ['?new=1.0.0', '1.0.0...1.0.0'],
    ]) {
      const { status, headers } = await site.browser().get(`/crates/reef/compare${query}`);
      expect([status, headers.get('location')], query).toEqual([303, `/crates/reef/compare/${versions}`]);
    }
  });

  it('is a 404 for versions that do not exist, and for other addresses', async () => {
    for (const path of [
      '/crates/reef/compare/1.0.0...9.9.9',
      '/crates/reef/compare/9.9.9...1.0.0',
      '/crates/reef/compare/1.0.0',
      '/crates/reef/compare/1.0.0...1.1.0...1.0.0',
      '/crates/nope/compare',
      '/crates/nope/compare/1.0.0...1.1.0',
    ])
      expect((await site.browser().get(path)).status, path).toBe(404);
  });

  it('gives a page that says why if an archive cannot be read', async () => {
    await site.publish(owner, { name: 'odd', version: '1.0.0' }, packFiles('odd-1.0.0', {}));
    await site.publish(owner, { name: 'odd', version: '1.1.0' }, Buffer.from('x'));
    const { status, text } = await site.browser().get('/crates/odd/compare/1.0.0...1.1.0');
    expect(status).toBe(404);
    expect(text).toContain('The archive of this version cannot be shown');
  });

  it('cannot be used to inject anything', async () => {
    const filesOf = (start: string) =>
      Object.fromEntries(NAME_ATTACKS.map((name) => [name, `${start}\n${CODE_ATTACKS.join(`\n${start}`)}`]));
    for (const version of ['1.0.0', '1.1.0'])
      await site.publish(
        owner,
        {
          ...{ name: 'attacks', version, license: `"><script>alert(${version})</script>` },
          features: new Map([[`<script>${version}</script>`, ['<img src=x onerror=alert(1)>']]]),
        },
        packFiles(`attacks-${version}`, filesOf(version)),
      );
    for (const view of ['', '?view=split']) {
      const text = await textOf(`/crates/attacks/compare/1.0.0...1.1.0${view}`);
      expectInert(text);
      expect(text).not.toMatch(/[\u202e\r]/);
    }
  });

  it('requires a sign-in if the registry is private', async () => {
    await using own = await makePagesSite({ authRequired: true });
    await addReef(own, await own.addUser('mira'));
    for (const path of ['/crates/reef/compare', COMPARE]) {
      const { status, headers } = await own.browser().get(path);
      expect(status).toBe(303);
      expect(headers.get('location')).toMatch(/^\/sign-in/);
    }
  });
});
