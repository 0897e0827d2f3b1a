import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { NAMELESS } from '../helpers/nameless-controls.ts';
import { fillSite } from '../helpers/page-kinds.ts';
import { makePagesSite, PASSWORD, type PagesSite } from '../helpers/pages-site.ts';

const LOOKS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['light', { viewport: { width: 1280, height: 900 } }],
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 } }],
  ['phone-dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
];

const TIMEOUT_MS = 240_000;

describe.skipIf(CHROMIUM === undefined)(`teams in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makePagesSite();
    const owner = await fillSite(site);
    const { records } = site.store;
    const actor = { user: owner, token: null };
    const owners = { action: 'add', logins: ['team:infra'], atMs: 1, actor } as const;
    for (const crate of ['kelp', 'reef']) await records.changeOwners({ ...owners, crate });
    const longest = 'x'.repeat(50);
    for (const name of ['data-platform', longest])
      await records.createTeam({ name, atMs: site.nowMs, actor: null });
    const ana = { action: 'add', logins: ['ana'], atMs: site.nowMs, actor: null } as const;
    await records.changeMembers({ ...ana, team: longest });
    browsed = await browse(site);
  });

  afterEach(async () => {
    expect(await browsed.closePages()).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function signIn(login: string, options: BrowserContextOptions): Promise<Page> {
    const page = await browsed.open('/sign-in', options);
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: login, level: 1 }).waitFor();
    return page;
  }

  it.each(LOOKS)(
    'fit the screen, have names and enough contrast: %s',
    async (look, options) => {
      const root = await signIn('root', options);
      const ana = await signIn('ana', options);
      for (const [page, name, place] of [
        [root, 'teams', '/admin/teams'],
        [root, 'team-admin', '/admin/teams/infra'],
        [root, 'team', '/teams/infra'],
        [root, 'owner-settings', '/crates/tidepool/settings'],
        [ana, 'user', '/users/ana'],
        [ana, 'account', '/me'],
        [ana, 'member-settings', '/crates/kelp/settings'],
      ] as const) {
        await page.goto(place);
        await page.evaluate(
          "for (const details of document.querySelectorAll('main details.act')) details.open = true",
        );
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width, place).toBe(options.viewport?.width);
        expect(await page.evaluate(NAMELESS), place).toEqual([]);
        expect(await page.evaluate(LOW_CONTRAST), place).toEqual([]);
        await keepPicture(page, `team-${name}-${look}`);
      }
    },
    TIMEOUT_MS,
  );

  it('are created, used and deleted with the keyboard and without JavaScript', async () => {
    const page = await signIn('root', { javaScriptEnabled: false });
    await page.goto('/admin/teams');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('release');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Team created.').waitFor();
    await page.getByLabel('Add members').focus();
    await page.keyboard.type('ana nobody');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('There is no user “nobody”.').waitFor();
    await page.getByLabel('Add members').fill('ana');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Members added.').waitFor();
    await page.goto('/crates/kelp/settings');
    await page.getByLabel('Add an owner').fill('team:release');
    await page.getByRole('button', { name: 'Add owner' }).click();
    await page.getByRole('status').getByText('Owner added.').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'release' }).first().click();
    await page.getByRole('heading', { name: 'release', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Manage this team' }).click();
    await page.locator('summary', { hasText: 'Delete…' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('release');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Team deleted.').waitFor();
    expect(await site.store.records.findTeam('release')).toBeNull();
    expect(await site.store.records.listOwnerTeams('kelp')).toMatchObject([{ name: 'infra' }]);
  });
});
