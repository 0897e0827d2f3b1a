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

it('logs an archive that is missing once, not for each page', async () => {
  await site.publish(await site.addUser('mira'), { name: 'reef', version: '1.0.0' });
  const wasLogged = (): boolean => site.logged.some(({ event }) => event === 'blob-missing');
  await expect.poll(async () => (await site.browser().get('/crates/reef')) && wasLogged()).toBe(true);
  await site.browser().get('/crates/reef/versions');
  expect(site.logged.filter(({ event }) => event === 'blob-missing')).toHaveLength(1);
});
