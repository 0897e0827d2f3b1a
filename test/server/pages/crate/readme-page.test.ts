import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';
import { packFiles, PNG } from '../../../helpers/source-crates.ts';

let site: PagesSite;

const README = '# kelp\n\n![logo](logo.png) [guide](guide.md) [gone](gone.md)\n\n- [x] done\n\n> [!TIP]\n> a';

beforeAll(async () => {
  site = await makePagesSite();
  const owner = await site.addUser('mira');
  for (const version of ['1.0.0', '1.1.0'])
    await site.publish(
      owner,
      { name: 'kelp', version, readme: README, readmeFile: 'docs/README.md' },
      packFiles(`kelp-${version}`, { 'docs/logo.png': PNG, 'docs/guide.md': '# Guide\n' }),
    );
});

afterAll(async () => site[Symbol.asyncDispose]());

async function page(address: string): Promise<string> {
  const { status, text } = await site.browser().get(address);
  expect(status, address).toBe(200);
  return text;
}

describe('the readme on the page of a crate', () => {
  it('refers to files of the shown version', async () => {
    for (const [address, version] of [
      ['/crates/kelp', '1.1.0'],
      ['/crates/kelp/1.0.0', '1.0.0'],
    ] as const) {
      const text = await page(address);
      const source = `/crates/kelp/${version}/source/docs`;
      expect(text).toContain(`<img src="${source}/logo.png?raw" alt="logo" loading="lazy" />`);
      expect(text).toContain(`<a href="${source}/guide.md"`);
      expect(await page(`${source}/guide.md`)).toContain('Guide');
      const image = await site.browser().get(`${source}/logo.png?raw`);
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
    }
  });

  it('leads to an explanation if a file was not packaged', async () => {
    const { status, text } = await site.browser().get('/crates/kelp/1.0.0/source/docs/gone.md');
    expect(status).toBe(404);
    expect(text).toContain('The archive of kelp 1.0.0 has no file or folder “docs/gone.md”.');
    expect(text).toContain('<a href="/crates/kelp/1.0.0/source">See the files of this version</a>');
    const attack = await site.browser().get('/crates/kelp/1.0.0/source/%3Cscript%3E');
    expect(attack.text).toContain('“&lt;script&gt;”');
  });

  it('has check boxes and icons instead of their placeholders', async () => {
    const text = await page('/crates/kelp');
    expect(text).toContain('<input type="checkbox" checked disabled aria-label="Completed task">done');
    expect(text).toMatch(/<p class="alert-title"><svg class="icon"/);
    expect(text).not.toContain('class="sign-');
  });
});
