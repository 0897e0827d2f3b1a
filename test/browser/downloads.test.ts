import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addDemo } from '../../src/server/demo/add-demo.ts';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { makePagesSite, PASSWORD, type PagesSite } from '../helpers/pages-site.ts';

const LOOKS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['light', { viewport: { width: 1280, height: 900 } }],
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 } }],
  ['phone-dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
];

describe.skipIf(CHROMIUM === undefined)(`the chart of downloads in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makePagesSite();
    await addDemo({ ...site.context, records: site.store.records }, PASSWORD);
    browsed = await browse(site);
  });

  afterEach(async () => {
    expect(await browsed.closePages()).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  it.each(LOOKS)('fits the screen and is readable: %s', async (name, options) => {
    const page = await browsed.open('/crates/kettle', options);
    await page.locator('.chart summary').click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
    const plot = await page.locator('svg.bars').boundingBox();
    const days = page.locator('svg.bars .day');
    expect(await days.count()).toBe(90);
    expect((await days.first().boundingBox())?.height).toBeCloseTo(plot?.height ?? 0, 0);
    expect(await days.last().locator('title').textContent()).toMatch(
      /^2026-03-14: \d+ downloads\n1\.0\.1: \d+/,
    );
    await page.locator('.downloads').scrollIntoViewIfNeeded();
    await keepPicture(page, `downloads-${name}`);
  });

  it('has bars within its frame, down to the lowest line, with the newest version on top', async () => {
    const page = await browsed.open('/crates/kettle', { viewport: { width: 1280, height: 900 } });
    const plot = await page.locator('svg.bars').boundingBox();
    const newest = await page.locator('svg.bars .s0').boundingBox();
    const oldest = await page.locator('svg.bars .s3').boundingBox();
    if (plot === null || newest === null || oldest === null) throw new Error('nothing is drawn');
    expect(newest.y).toBeGreaterThanOrEqual(plot.y - 1);
    expect(oldest.y + oldest.height).toBeCloseTo(plot.y + plot.height, 0);
    expect(newest.y).toBeLessThan(oldest.y);
  });

  it('opens its table with the keyboard, without JavaScript', async () => {
    const page = await browsed.open('/crates/kettle', { javaScriptEnabled: false });
    const table = page.getByRole('region', { name: 'Downloads by day' }).getByRole('table');
    expect(await table.isVisible()).toBe(false);
    await page.getByText('Show as a table').focus();
    await page.keyboard.press('Enter');
    await table.waitFor();
    await page.keyboard.press('Tab');
    expect(
      await page.getByRole('region', { name: 'Downloads by day' }).evaluate((node) => node.matches(':focus')),
    ).toBe(true);
    expect(await page.getByRole('img', { name: 'Chart of the downloads by day' }).isVisible()).toBe(true);
  });
});
