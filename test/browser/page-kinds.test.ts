import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browse, CHROMIUM, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { makeSiteOfKinds, PAGE_KINDS, type PageReader } from '../helpers/page-kinds.ts';
import { PASSWORD, type PagesSite } from '../helpers/pages-site.ts';

const PHONE_WIDTH = 360;
const TIMEOUT_MS = 600_000;

describe.skipIf(CHROMIUM === undefined)(`each kind of page in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makeSiteOfKinds();
    browsed = await browse(site);
  });

  afterEach(async () => {
    for (const context of browsed.browser.contexts()) await context.close();
    expect(browsed.strayRequests).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function openAs(reader: PageReader): Promise<Page> {
    const options = { javaScriptEnabled: false, viewport: { width: PHONE_WIDTH, height: 740 } };
    const page = await browsed.open(reader === 'nobody' ? '/' : '/sign-in', options);
    if (reader === 'nobody') return page;
    await page.getByLabel('Login').fill(reader);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: reader }).waitFor();
    return page;
  }

  it.each(['nobody', 'mira', 'root'] as const)(
    'has a heading and content, and is not wider than a phone, without JavaScript, for %s',
    async (reader) => {
      const page = await openAs(reader);
      for (const address of PAGE_KINDS[reader]) {
        await page.goto(address);
        expect(await page.getByRole('heading', { level: 1 }).first().isVisible(), address).toBe(true);
        expect((await page.getByRole('main').innerText()).length, address).toBeGreaterThan(20);
        expect(await page.evaluate('document.documentElement.scrollWidth'), address).toBe(PHONE_WIDTH);
      }
    },
    TIMEOUT_MS,
  );
});
