import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { makePagesSite, type PagesSite } from '../helpers/pages-site.ts';
import { addReef, packFiles } from '../helpers/source-crates.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { NAMELESS } from '../helpers/nameless-controls.ts';
import { sourcePath } from '../../src/server/pages/shared/paths.ts';
import { CODE_ATTACKS, NAME_ATTACKS } from '../server/pages/source-attacks.ts';

const FILE = '/crates/reef/1.1.0/source/src/lib.rs';
const COMPARE = '/crates/reef/compare/1.0.0...1.1.0';
const PLACES = [
  '/crates/reef/1.1.0/source',
  '/crates/reef/1.1.0/source?q=rs',
  `${FILE}#L12-L15`,
  '/crates/reef/1.1.0/source/Cargo.toml.orig',
  '/crates/reef/1.1.0/source/docs/reef.png',
  '/crates/reef/1.1.0/source/src/data/table.bin',
  COMPARE,
  `${COMPARE}?view=split`,
];

describe.skipIf(CHROMIUM === undefined)(`pages with source code in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makePagesSite();
    const owner = await site.addUser('mira', { name: 'Mira Okafor' });
    await addReef(site, owner);
    const files = Object.fromEntries(NAME_ATTACKS.map((name) => [name, CODE_ATTACKS.join('\n')]));
    for (const version of ['1.0.0', '1.1.0'])
      await site.publish(
        owner,
        { name: 'attacks', version },
        packFiles(`attacks-${version}`, version === '1.0.0' ? {} : files),
      );
    browsed = await browse(site);
  });

  afterEach(async () => {
    expect(await browsed.closePages()).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  it('mark the lines that the address names', async () => {
    const page = await browsed.open(`${FILE}#L12-L14`);
    const marked = page.locator('.row.marked');
    expect(await marked.count()).toBe(3);
    expect(await marked.first().textContent()).toContain('/// Creates an empty buffer.');
    await page.getByRole('link', { name: 'Line 20', exact: true }).click();
    expect(new URL(page.url()).hash).toBe('#L20');
    expect(await marked.count()).toBe(1);
    await page.getByRole('link', { name: 'Line 18', exact: true }).click({ modifiers: ['Shift'] });
    expect(new URL(page.url()).hash).toBe('#L18-L20');
    expect(await marked.count()).toBe(3);
  });

  it('mark one line without JavaScript', async () => {
    const page = await browsed.open(`${FILE}#L2`, { javaScriptEnabled: false });
    expect(await page.locator('.row:target').textContent()).toContain('use std::collections::HashMap;');
  });

  it('let the keyboard walk through the line numbers, which are one stop of Tab', async () => {
    const page = await browsed.open(FILE);
    await page.getByRole('region', { name: 'Content of src/lib.rs' }).focus();
    await page.keyboard.press('Tab');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('2');
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.closest('.source')")).toBeNull();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**#L2');
  });

  it('give the code without line numbers when it is copied', async () => {
    const page = await browsed.open('/crates/reef/1.1.0/source/src/bin/reefd.rs');
    const selected = await page.evaluate(
      "getSelection().selectAllChildren(document.querySelector('pre.source')), getSelection().toString()",
    );
    expect(selected).toBe('fn main() {\n    println!("reef");\n}');
  });

  it('show images of an archive', async () => {
    const page = await browsed.open('/crates/reef/1.1.0/source/docs/reef.png');
    await page.getByRole('img', { name: 'The image docs/reef.png' }).waitFor();
    expect(await page.evaluate("document.querySelector('.picture img').naturalWidth")).toBe(1);
  });

  it('filter files and select versions without JavaScript', async () => {
    const page = await browsed.open('/crates/reef/1.1.0/source', { javaScriptEnabled: false });
    await page.getByRole('searchbox', { name: 'Filter files by name' }).fill('new');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('link', { name: 'src/new.rs' }).click();
    await page.goto('/crates/reef/1.1.0/source');
    await page.getByRole('link', { name: 'Compare versions' }).click();
    await page.getByRole('heading', { name: 'Changes from 1.0.0 to 1.1.0' }).waitFor();
    await page.getByLabel('From', { exact: true }).selectOption('1.1.0');
    await page.getByLabel('To', { exact: true }).selectOption('1.0.0');
    await page.getByRole('button', { name: 'Compare' }).click();
    expect(new URL(page.url()).pathname).toBe('/crates/reef/compare/1.1.0...1.0.0');
    await page.getByRole('link', { name: 'Side by side' }).click();
    expect(new URL(page.url()).search).toBe('?view=split');
  });

  it('show both sides of a comparison on a phone, and unchanged lines once', async () => {
    const options = { viewport: { width: 390, height: 844 }, hasTouch: true };
    const page = await browsed.open(`${COMPARE}?view=split`, options);
    const table = page.getByRole('region', { name: 'Changes of src/lib.rs' });
    for (const text of ['0x40', '0x80', 'counts.shrink_to_fit();']) {
      const box = await table.getByText(text).filter({ visible: true }).first().boundingBox();
      expect((box?.x ?? 390) + (box?.width ?? 0), text).toBeLessThanOrEqual(390);
    }
    expect(await table.getByText('Buffer { name, bytes }').filter({ visible: true }).count()).toBe(1);
    await keepPicture(page, 'phone-compare-split');
  });

  it('run nothing of an archive', async () => {
    const page = await browsed.open('/crates/attacks/1.1.0/source');
    let isRunning = false;
    page.on('dialog', (dialog) => {
      isRunning = true;
      void dialog.dismiss();
    });
    const files = NAME_ATTACKS.map((name) => sourcePath({ crate: 'attacks', version: '1.1.0' }, name));
    for (const place of [...files, `${files[0]}?raw`, '/crates/attacks/compare/1.0.0...1.1.0']) {
      await page.goto(place);
      await page.waitForTimeout(50);
      expect(new URL(page.url()).pathname.startsWith('/crates/attacks/'), place).toBe(true);
    }
    expect(isRunning).toBe(false);
  });

  it('fit a phone screen', async () => {
    const page = await browsed.open('/', { viewport: { width: 360, height: 740 }, hasTouch: true });
    const attacked = sourcePath({ crate: 'attacks', version: '1.1.0' }, NAME_ATTACKS[0] ?? '');
    for (const [index, place] of [...PLACES, '/crates/attacks/1.1.0/source', attacked].entries()) {
      await page.goto(place);
      expect(await page.evaluate('document.documentElement.scrollWidth'), place).toBe(360);
      await keepPicture(page, `phone-source-${index}`);
    }
  });

  it.each(['light', 'dark'] as const)(
    'have enough contrast and names for all controls in %s mode',
    async (mode) => {
      const page = await browsed.open('/', { colorScheme: mode, viewport: { width: 1280, height: 800 } });
      for (const place of PLACES) {
        await page.goto(place);
        expect(await page.evaluate(LOW_CONTRAST), place).toEqual([]);
        expect(await page.evaluate(NAMELESS), place).toEqual([]);
        expect(await page.getByRole('heading', { level: 1 }).count(), place).toBe(1);
        await keepPicture(page, `${mode}-source-${PLACES.indexOf(place)}`);
      }
    },
  );
});
