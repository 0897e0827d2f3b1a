import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('offers the newest version without its number, and a chosen version with it', async () => {
  expect(await page('/crates/tidepool')).toContain('>cargo add tidepool --registry mine</code>');
  expect(await page('/crates/tidepool/1.0.0')).toContain('>cargo add tidepool@1.0.0 --registry mine</code>');
});

it('omits build metadata in the command for cargo', async () => {
  const version = '0.0.1-alpha.20260314.with.many.identifiers+and.build.metadata.0123456789abcdef';
  expect(await page(`/crates/${LONG_NAME}/${encodeURIComponent(version)}`)).toContain(
    `>cargo add ${LONG_NAME}@0.0.1-alpha.20260314.with.many.identifiers --registry mine</code>`,
  );
});

it('does not offer a yanked version, which cargo would refuse', async () => {
  const text = await page('/crates/tidepool/0.2.0');
  expect(text).not.toContain('cargo add');
  expect(text).toContain('<li class="chip bad">');
});

it('names license and Rust version in the heading, and nothing that is unknown', async () => {
  const text = await page('/crates/tidepool');
  const [, chips = ''] = /<ul class="chips"([^]*?)<\/ul>/.exec(text) ?? [];
  expect(chips).toContain('MIT OR Apache-2.0');
  expect(chips).toContain('Rust 1.74 or newer');
  expect(chips).not.toContain('yanked');
  expect(await page('/crates/shell-part-1')).not.toContain('class="chips"');
});

it('says how long ago a version was published, with the exact time', async () => {
  expect(await page('/crates/tidepool')).toMatch(
    /<time datetime="2026-03-26T09:26:53\.000Z" title="2026-03-26 09:26 UTC">3 days ago<\/time>/,
  );
});

it('links owners and publishers to their crates', async () => {
  const text = await page('/crates/tidepool');
  expect(text.match(/<a href="\/users\/mira">mira<\/a>/g)).toHaveLength(2);
});

it('has a tab for the source of the shown version', async () => {
  expect(await page('/crates/tidepool')).toContain('<a href="/crates/tidepool/1.1.0/source">Source</a>');
  expect(await page('/crates/tidepool/1.0.0')).toContain(
    '<a href="/crates/tidepool/1.0.0/source">Source</a>',
  );
});

it('hides its icons from screen readers, and names its chart', async () => {
  for (const [image] of (await page('/crates/tidepool')).matchAll(/<svg[^>]*>/g))
    expect(image).toMatch(/aria-hidden="true"|role="img" aria-label="Chart of /);
});
