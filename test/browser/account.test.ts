import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeSecret } from '../../src/server/auth/tokens.ts';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { makePagesSite, PASSWORD, type PagesSite } from '../helpers/pages-site.ts';

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 740 }, hasTouch: true };
const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['wide-light', WIDE],
  ['wide-dark', { ...WIDE, colorScheme: 'dark' }],
  ['phone-light', PHONE],
  ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
];

describe.skipIf(CHROMIUM === undefined)(`accounts and admin pages in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makePagesSite();
    const mira = await site.addUser('mira', { name: 'Mira Okafor' });
    await site.addUser('root', { isAdmin: true });
    for (const version of ['1.0.0', '1.2.0']) await site.publish(mira, { name: 'acme-core', version });
    const yank = { crate: 'acme-core', version: '1.2.0', isYanked: true, atMs: site.nowMs };
    await site.store.records.setYanked({ ...yank, actor: { user: mira, token: null }, reason: 'loses data' });
    for (let i = 1; i <= 52; i += 1) {
      const { hash, prefix } = makeSecret();
      await site.store.records.createToken({
        ...{ userId: mira.id, name: `job ${i}`, hash, prefix, cratePatterns: ['acme-*'] },
        ...{ scopes: ['read', 'publish-update'], createdAtMs: site.nowMs, expiresAtMs: null },
      });
      await site.store.records.addAudit({
        ...{ atMs: site.nowMs, actor: 'mira', action: 'make-token', tokenId: i, subject: 'mira' },
        detail: `job ${i}`,
      });
    }
    browsed = await browse(site);
  });

  afterEach(async () => {
    expect(await browsed.closePages()).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function signIn(
    login: string,
    options: BrowserContextOptions = {},
    password = PASSWORD,
  ): Promise<Page> {
    const page = await browsed.open('/sign-in', options);
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: login }).waitFor();
    return page;
  }

  it('explain at the permissions that a token needs one, and move the focus there', async () => {
    const page = await signIn('mira', { javaScriptEnabled: false });
    await page.getByLabel('Name').fill('ci');
    await page.getByRole('button', { name: 'Create token' }).click();
    const permissions = page.getByRole('group', { name: 'Permissions' });
    await permissions.getByText('Select at least one permission.').waitFor();
    expect(await permissions.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('Token “ci” created.').waitFor();
  });

  it('let users change their password and stay signed in', async () => {
    const page = await signIn('mira');
    const fill = async (old: string, fresh: string): Promise<void> => {
      await page.getByLabel('Current password').fill(old);
      await page.getByLabel('New password', { exact: true }).fill(fresh);
      await page.getByLabel('New password again').fill(fresh);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await fill('a wrong password', 'another long password');
    await page.getByRole('alert').getByText('The current password is wrong.').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('password-old');
    await fill(PASSWORD, 'another long password');
    await page.getByRole('status').getByText('Password changed.').waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'mira' }).waitFor();
    await fill('another long password', PASSWORD);
    await page.getByRole('status').getByText('Password changed.').waitFor();
  });

  it('let admins find and revoke the token of another user', async () => {
    const page = await signIn('root');
    await page.goto('/admin/users/mira');
    const pages = page.getByRole('navigation', { name: 'Pages of tokens' });
    await pages.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Revoke job 1', exact: true }).click();
    await page.getByRole('status').getByText('Token revoked.').waitFor();
    await page.getByRole('row', { name: /^job 1 revoked/ }).waitFor();
    await page.goto('/admin/audit');
    await page.getByLabel('Action').selectOption('Revoke a token');
    await page.getByLabel('First day').fill('2026-03-14');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('cell', { name: 'revoked token 1 of mira' }).waitFor();
    await page.getByRole('link', { name: 'Clear' }).click();
    expect(new URL(page.url()).search).toBe('');
  });

  it.each(LOOKS)('fit the screen and have enough contrast: %s', async (look, options) => {
    const page = await signIn('root', options);
    for (const [name, place] of [
      ['overview', '/admin'],
      ['audit', '/admin/audit'],
      ['audit-problem', '/admin/audit?from=nonsense'],
      ['user', '/admin/users/mira?tokens=2'],
      ['account', '/me'],
    ] as const) {
      await page.goto(place);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width, place).toBe(options.viewport?.width);
      expect(await page.evaluate(LOW_CONTRAST), place).toEqual([]);
      await keepPicture(page, `account-${name}-${look}`);
    }
    await page.getByLabel('Name').fill('ci');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
    await keepPicture(page, `account-problem-${look}`);
  });
});
