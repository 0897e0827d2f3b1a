import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { addDemoCrates } from '../helpers/demo-crates.ts';
import { makePagesSite, type PagesSite } from '../helpers/pages-site.ts';

describe.skipIf(CHROMIUM === undefined)(`keys in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makePagesSite();
    await addDemoCrates(site);
    browsed = await browse(site);
  });

  afterEach(async () => {
    for (const context of browsed.browser.contexts()) await context.close();
    expect(browsed.complaints.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  /** Returns the text of the focused link, or the name of the focused field. */
  async function focusOf(page: Page): Promise<unknown> {
    return page.evaluate('document.activeElement.textContent || document.activeElement.name');
  }

  it('move from the search to its results and back', async () => {
    const page = await browsed.open('/?q=shell-part-4');
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    expect(await focusOf(page)).toBe('shell-part-4');
    await page.keyboard.press('ArrowDown');
    expect(await focusOf(page)).toBe('shell-part-40');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await focusOf(page)).toBe('q');
    await page.keyboard.press('ArrowUp');
    expect(await focusOf(page)).toBe('q');
    await page.keyboard.press('ArrowDown');
    for (let i = 0; i < 20; i += 1) await page.keyboard.press('ArrowDown');
    expect(await focusOf(page)).toBe('shell-part-45');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/crates/shell-part-45');
  });

  it('leave arrows alone outside of the search and its results', async () => {
    const page = await browsed.open('/crates');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    await page.waitForFunction('scrollY > 0');
  });

  it('are listed in a dialog that `?` opens and Escape closes', async () => {
    const page = await browsed.open('/crates/tidepool');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.waitFor();
    expect(await focusOf(page)).toBe('Close');
    await dialog.getByText('license:MIT', { exact: true }).waitFor();
    await keepPicture(page, 'keys');
    await page.keyboard.press('/');
    expect(await focusOf(page)).toBe('Close');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('type characters in fields', async () => {
    const page = await browsed.open('/crates/tidepool/dependents');
    const field = page.getByLabel('Requirement allows');
    await field.pressSequentially('a/b?');
    expect(await field.inputValue()).toBe('a/b?');
    await page.goto('/');
    const search = page.getByRole('searchbox');
    await search.pressSequentially('a/b?');
    expect(await search.inputValue()).toBe('a/b?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('can be turned off and on again, for people who dictate', async () => {
    const page = await browsed.open('/crates/tidepool');
    await page.getByRole('button', { name: 'Keys' }).click();
    await page.getByLabel('Use / and ?').uncheck();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    for (const key of ['/', '?']) await page.keyboard.press(key);
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Keys' }).click();
    await page.getByLabel('Use / and ?').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(await focusOf(page)).toBe('q');
  });

  it('add words after the filter of a list', async () => {
    const page = await browsed.open('/users/mira');
    await page.keyboard.press('/');
    await page.keyboard.type('macros');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '1 crate for “owner:mira macros”' }).waitFor();
  });

  it('keep the order of the results while the user types', async () => {
    const page = await browsed.open('/?q=shell&sort=created');
    await page.getByRole('searchbox').fill('part');
    await page.getByRole('heading', { name: '45 crates for “part”' }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=part&sort=created');
    expect(await page.locator('ul.crates h3 a').first().textContent()).toBe('shell-part-45');
  });
});
