import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browse, CHROMIUM, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { makeSiteOfKinds, PAGE_KINDS, type PageReader } from '../helpers/page-kinds.ts';
import { PASSWORD, type PagesSite } from '../helpers/pages-site.ts';

const WIDTHS = [1280, 390];
/** Rules whose outcome depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const TIMEOUT_MS = 600_000;

describe.skipIf(CHROMIUM === undefined)(`accessibility by axe in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makeSiteOfKinds();
    browsed = await browse(site);
  });

  afterEach(async () => {
    for (const context of browsed.browser.contexts()) await context.close();
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  it.each(['nobody', 'mira', 'root'] as const)(
    'finds no violation on any page for %s, wide and narrow, light and dark',
    async (reader) => {
      const page = await openAs(reader);
      const found: Record<string, readonly string[]> = {};
      for (const address of PAGE_KINDS[reader]) {
        await page.goto(address);
        const onPage = await violations(page);
        if (onPage.length > 0) found[address] = onPage;
      }
      expect(found).toEqual({});
    },
    TIMEOUT_MS,
  );

  it(
    'finds no violation where a form was refused, and where a new token is shown',
    async () => {
      const page = await openAs('mira');
      await page.getByLabel('Name').fill('ci');
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByRole('alert').first().waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Read').check();
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByText('Token “ci” created.').waitFor();
      expect(await violations(page)).toEqual([]);
      const admin = await openAs('root');
      await admin.goto('/admin/mirror');
      const block = admin.getByRole('form', { name: 'Block a crate or a version' });
      await block.getByLabel('Crate').fill('a b');
      await block.getByRole('button', { name: 'Block' }).click();
      await admin.getByText('“a b” is not the name of a crate.').waitFor();
      expect(await violations(admin)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it.each([
    ['mira', '/crates/tidepool/settings'],
    ['mira', '/?q=shell'],
    ['root', '/admin/users/mira'],
  ] as const)(
    'finds no violation in the closed parts that %s can open on %s',
    async (reader, address) => {
      const page = await openAs(reader);
      await page.goto(address);
      await page.evaluate(
        "for (const details of document.querySelectorAll('main details')) details.open = true",
      );
      expect(await violations(page)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  async function openAs(reader: PageReader): Promise<Page> {
    const page = await browsed.open(reader === 'nobody' ? '/' : '/sign-in');
    if (reader === 'nobody') return page;
    await page.getByLabel('Login').fill(reader);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: reader }).waitFor();
    return page;
  }
});

/** Returns the violations on the page that is open, in all looks: the look, the rule and the element. */
async function violations(page: Page): Promise<readonly string[]> {
  // DevTools run it, so the policy of the pages does not apply.
  await page.evaluate(`${axe.source}; null`);
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const [colorScheme, runOnly] of [
      ['light', null],
      ['dark', COLOUR_RULES],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      const options = { resultTypes: ['violations'], ...(runOnly === null ? {} : { runOnly }) };
      const results: AxeResults = await page.evaluate(`axe.run(${JSON.stringify(options)})`);
      for (const { id, nodes } of results.violations)
        for (const { html, failureSummary } of nodes)
          found.push(`${width} ${colorScheme} ${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`);
    }
  }
  return found;
}
