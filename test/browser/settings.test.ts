import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { addDemoCrates } from '../helpers/demo-crates.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { NAMELESS } from '../helpers/nameless-controls.ts';
import { makePagesSite, PASSWORD, type PagesSite } from '../helpers/pages-site.ts';

const SETTINGS = '/crates/tidepool/settings';
const LOOKS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['light', { viewport: { width: 1280, height: 900 } }],
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 } }],
  ['phone-dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
];

describe.skipIf(CHROMIUM === undefined)(`the settings of a crate in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makePagesSite();
    const owner = await addDemoCrates(site);
    const actor = { user: owner, token: null };
    const { records } = site.store;
    await records.changeOwners({ crate: 'tidepool', action: 'add', logins: ['ana'], atMs: 1, actor });
    const claims = [
      { name: 'repository_id', value: '123456' },
      { name: 'workflow_ref', value: 'tidepool-rs/tidepool/.github/workflows/release.yml@*' },
    ];
    const issuer = 'https://token.actions.githubusercontent.com';
    const publisher = { issuer, claims, userId: owner.id, atMs: site.nowMs, actor };
    await records.createPublisher({ ...publisher, cratePatterns: ['tidepool'] });
    await records.createPublisher({ ...publisher, cratePatterns: ['tide*'] });
    browsed = await browse(site);
  });

  afterEach(async () => {
    expect(await browsed.closePages()).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function open(options: BrowserContextOptions): Promise<Page> {
    const page = await browsed.open(`/sign-in?return=${encodeURIComponent(SETTINGS)}`, options);
    await page.getByLabel('Login').fill('mira');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Owners', level: 3 }).waitFor();
    return page;
  }

  it.each(LOOKS)('fit the window, have names and enough contrast: %s', async (name, options) => {
    const page = await open(options);
    await page.locator('summary', { hasText: 'Yank… 1.1.0' }).click();
    await page.locator('summary', { hasText: 'Remove… ana' }).click();
    await page.locator('summary', { hasText: 'Add a trusted publisher' }).click();
    await keepPicture(page, `settings-${name}`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await page.evaluate(NAMELESS)).toEqual([]);
    expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
    await page.goto('/keywords');
    await keepPicture(page, `keywords-${name}`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
  });

  it('let an owner yank a version and change owners with the keyboard and without JavaScript', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.locator('summary', { hasText: 'Yank… 1.0.0' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('loses jobs');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Version yanked.').waitFor();
    expect(await site.store.records.findVersion('tidepool', '1.0.0')).toMatchObject({
      isYanked: true,
      yankReason: 'loses jobs',
    });
    await page.getByRole('button', { name: 'Unyank 1.0.0' }).click();
    await page.getByRole('status').getByText('Version unyanked.').waitFor();
    await page.locator('summary', { hasText: 'Remove… ana' }).click();
    await page.getByRole('button', { name: 'Remove ana' }).click();
    await page.getByRole('status').getByText('Owner removed.').waitFor();
    await page.getByLabel('Add an owner').fill('nobody');
    await page.getByRole('button', { name: 'Add owner' }).click();
    await page.getByRole('alert').getByText('There is no user “nobody”.').waitFor();
    expect(await page.getByLabel('Add an owner').inputValue()).toBe('nobody');
    await page.getByLabel('Add an owner').fill('ana');
    await page.getByRole('button', { name: 'Add owner' }).click();
    await page.getByRole('status').getByText('Owner added.').waitFor();
  });
});
