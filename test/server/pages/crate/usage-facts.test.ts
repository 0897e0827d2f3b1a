import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TsregError } from '../../../../src/core/errors/error.ts';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';
import { packFiles, type PackedFiles } from '../../../helpers/source-crates.ts';

let site: PagesSite;

beforeEach(async () => {
  site = await makePagesSite();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await site[Symbol.asyncDispose]();
});

async function publish(files: PackedFiles, version = '1.0.0'): Promise<void> {
  const owner = (await site.store.records.findUser('mira')) ?? (await site.addUser('mira'));
  await site.publish(owner, { name: 'reef', version }, packFiles(`reef-${version}`, files));
}

/** Returns the page of the crate once `words` are in it: on a busy machine, the first pages can lack facts. */
async function pageWith(words: string, address = '/crates/reef'): Promise<string> {
  let text = '';
  await expect
    .poll(
      async () => {
        ({ text } = await site.browser().get(address));
        return text;
      },
      { timeout: 30_000 },
    )
    .toContain(words);
  return text;
}

/** Returns the tabs of the box, and its texts to copy. */
function boxOf(text: string): readonly (readonly (string | undefined)[])[] {
  const [, box = ''] = /<fieldset class="install card">([^]*?)<\/fieldset>/.exec(text) ?? [];
  const labels = [...box.matchAll(/<label[^>]*>([^<]*)<\/label>/g)].map(([, label]) => label);
  return [labels, [...box.matchAll(/<code id[^>]*>([^<]*)<\/code>/g)].map(([, code]) => code)];
}

it('offers a library to add, and commands of tsreg with the registry', async () => {
  await publish({ 'Cargo.toml': '[package]\nedition = "2021"\n', 'src/lib.rs': '' });
  expect(boxOf(await pageWith('2021 edition'))).toEqual([
    ['cargo add', 'Cargo.toml', 'tsreg'],
    [
      'cargo add reef --registry mine',
      'reef = { version = &quot;1.0.0&quot;, registry = &quot;mine&quot; }',
      'tsreg info reef --registry mine',
      'tsreg download reef --registry mine',
    ],
  ]);
});

it('offers a crate without a library to install, at a chosen version with its number', async () => {
  await publish({ 'src/main.rs': '' });
  expect(boxOf(await pageWith('2015 edition', '/crates/reef/1.0.0'))).toEqual([
    ['cargo install', 'tsreg'],
    [
      'cargo install reef@1.0.0 --registry mine',
      'tsreg info reef@1.0.0 --registry mine',
      'tsreg download reef@1.0.0 --registry mine',
    ],
  ]);
});

it('offers a crate with a library and a program to add and to install', async () => {
  await publish({ 'src/lib.rs': '', 'src/bin/reefd.rs': '' });
  const [labels, texts] = boxOf(await pageWith('cargo install'));
  expect(labels).toEqual(['cargo', 'Cargo.toml', 'tsreg']);
  expect(texts).toContain('cargo add reef --registry mine');
  expect(texts).toContain('cargo install reef --registry mine');
});

it.each([
  ['the store does not respond', () => Promise.reject(new TsregError('away', { code: 'network' }))],
  ['the disk fails', () => Promise.reject(new Error('EIO: i/o error, read'))],
  ['the archive takes too long', () => new Promise<never>(() => undefined)],
])('shows the page without facts if %s', async (_, read) => {
  vi.spyOn(site.store.blobs, 'open').mockImplementation(read);
  await publish({ 'src/main.rs': '' });
  const { status, text } = await site.browser().get('/crates/reef');
  expect([status, text.includes('edition')]).toEqual([200, false]);
  expect(boxOf(text)[0]).toEqual(['cargo add', 'Cargo.toml', 'tsreg']);
});

it('reads an archive only once', async () => {
  await publish({ 'src/lib.rs': '' });
  await pageWith('2015 edition');
  const read = vi.spyOn(site.store.blobs, 'open');
  await pageWith('2015 edition', '/crates/reef/versions');
  expect(read).not.toHaveBeenCalled();
});

it('shows the edition of each version in the list, and goes on reading after the page is sent', async () => {
  await publish({ 'Cargo.toml': '[package]\nedition = "2018"\n', 'src/lib.rs': '' });
  await publish({ 'Cargo.toml': '[package]\nedition = "2021"\n', 'src/lib.rs': '' }, '1.1.0');
  await publish({ 'Cargo.toml': '[package]\nedition = "soon"\n', 'src/lib.rs': '' }, '1.2.0');
  const text = await pageWith('2018 edition', '/crates/reef/versions');
  const rows = text.split('<tr>').slice(2);
  expect(rows.map((row) => /<td data-label="Rust">(.*?)<\/td>/.exec(row)?.[1]?.trim())).toEqual([
    '',
    '<span class="badge">2021 edition</span>',
    '<span class="badge">2018 edition</span>',
  ]);
});

it('sends a list of versions soon, without the editions of archives that take too long', async () => {
  await publish({ 'src/lib.rs': '' });
  let respond = (): void => undefined;
  const open = site.store.blobs.open.bind(site.store.blobs);
  const read = vi.spyOn(site.store.blobs, 'open').mockImplementationOnce(async (...args) => {
    await new Promise<void>((resolve) => {
      respond = resolve;
    });
    return await open(...args);
  });
  expect((await site.browser().get('/crates/reef/versions')).text).not.toContain('edition');
  respond();
  await pageWith('2015 edition', '/crates/reef/versions');
  expect(read).toHaveBeenCalledTimes(1);
});

it('logs an archive that is missing once, not for each page', async () => {
  await site.publish(await site.addUser('mira'), { name: 'reef', version: '1.0.0' });
  const wasLogged = (): boolean => site.logged.some(({ event }) => event === 'blob-missing');
  await expect.poll(async () => (await site.browser().get('/crates/reef')) && wasLogged()).toBe(true);
  await site.browser().get('/crates/reef/versions');
  expect(site.logged.filter(({ event }) => event === 'blob-missing')).toHaveLength(1);
});
