import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { addDemoCrates, LONG_NAME } from '../helpers/demo-crates.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { NAMELESS } from '../helpers/nameless-controls.ts';
import { makePagesSite, PASSWORD, type PagesSite } from '../helpers/pages-site.ts';
import { README_ATTACKS } from '../server/pages/readme-attacks.ts';

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true };
const DARK: BrowserContextOptions = { colorScheme: 'dark' };

describe.skipIf(CHROMIUM === undefined)(`pages in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makePagesSite();
    const owner = await addDemoCrates(site);
    await site.addUser('root', { isAdmin: true });
    await site.publish(owner, { name: 'attacks', version: '1.0.0', readme: README_ATTACKS.join('\n\n') });
    browsed = await browse(site);
  });

  afterEach(async () => {
    expect(await browsed.closePages()).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function signIn(page: Page, login: string): Promise<void> {
    await page.goto('/sign-in');
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: login }).waitFor();
  }

  it('search as the user types, announce the count and put the query in the URL', async () => {
    const page = await browsed.open('/');
    const input = page.getByRole('searchbox', { name: 'Search crates' });
    await input.pressSequentially('tidep');
    await page.getByRole('heading', { name: '2 crates for “tidep”' }).waitFor();
    expect(await page.getByRole('status').textContent()).toBe('2 crates for “tidep”');
    expect(new URL(page.url()).search).toBe('?q=tidep');
    expect(await page.title()).toBe('tidep · Crate registry');
    await keepPicture(page, 'search');
    await page.reload();
    await page.getByRole('heading', { name: '2 crates for “tidep”' }).waitFor();
    await input.fill('');
    await page.getByRole('heading', { name: 'Recently updated' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await input.fill('<b>&"');
    await page.getByRole('heading', { name: 'No crates found for “<b>&"”' }).waitFor();
  });

  it('search and paginate without JavaScript', async () => {
    const page = await browsed.open('/', { javaScriptEnabled: false });
    await page.getByRole('searchbox').fill('shell');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Next' }).click();
    expect(new URL(page.url()).search).toBe('?q=shell&page=2');
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });

  it('show the tabs of a crate and copy its Cargo.toml line', async () => {
    const page = await browsed.open('/crates/tidepool', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await keepPicture(page, 'crate');
    await page.getByText('Cargo.toml', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'tidepool = { version = "1.1.0", registry = "mine" }',
    );
    for (const tab of ['Versions', 'Dependencies', 'Dependents', 'Features', 'Readme']) {
      await page.getByRole('navigation', { name: 'Crate' }).getByRole('link', { name: tab }).click();
      await page.locator(`.tabs [aria-current]:has-text("${tab}")`).waitFor();
      await keepPicture(page, `crate-${tab.toLowerCase()}`);
    }
    await page.getByRole('link', { name: 'usage' }).click();
    expect(new URL(page.url()).hash).toBe('#readme-usage');
  });

  it('remove scripts, forms and other active content from a README', async () => {
    const page = await browsed.open('/crates/attacks');
    await page.waitForTimeout(200);
    expect(
      await page
        .locator('article.readme')
        .evaluate(
          (article: { querySelectorAll(s: string): { length: number } }) =>
            article.querySelectorAll(
              'script,style,iframe,form,input:not([type=checkbox][disabled]),img,svg:not(.icon),math,link,meta,base,object,embed',
            ).length,
        ),
    ).toBe(0);
    expect(await page.getByRole('contentinfo').isVisible()).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/crates/attacks');
  });

  it('let users create, copy and revoke a token', async () => {
    const page = await browsed.open('/', { permissions: ['clipboard-read', 'clipboard-write'] });
    await signIn(page, 'mira');
    await page.getByLabel('Name').fill('ci of tidepool');
    for (const permission of ['Read', 'Publish new versions', 'Yank'])
      await page.getByLabel(permission).check();
    await page.getByRole('textbox', { name: 'Crates', exact: true }).fill('tidepool*');
    await page.getByLabel('Expires').selectOption('30');
    await page.getByRole('button', { name: 'Create token' }).click();
    const note = page.getByRole('status');
    await note.getByRole('button', { name: 'Copy' }).click();
    await note.getByRole('button', { name: 'Copied' }).waitFor();
    const secret = await note.getByLabel('Token').textContent();
    expect(secret).toMatch(/^tsreg_[\w-]{43}$/);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await keepPicture(page, 'token-made');
    await page.goto('/me');
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Revoke ci of tidepool' }).click();
    await page.getByRole('status').getByText('Token revoked.').waitFor();
    expect(await page.getByRole('button', { name: /^Revoke/ }).count()).toBe(0);
    await keepPicture(page, 'token-revoked');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
  });

  it('return to the previous page after signing in', async () => {
    const page = await browsed.open('/crates/tidepool/versions');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await keepPicture(page, 'sign-in');
    await page.getByLabel('Login').fill('ana');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'ana' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/crates/tidepool/versions');
  });

  it('let admins create and disable users and delete crates', async () => {
    const page = await browsed.open('/');
    await signIn(page, 'root');
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await keepPicture(page, 'admin');
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByLabel('Login').fill('newcomer');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('status').getByText('User created.').waitFor();
    await page.getByLabel(/^Disabled/).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('disabled', { exact: true }).waitFor();
    await keepPicture(page, 'admin-user');
    await page.goto('/admin/crates?q=shell-part-45');
    await keepPicture(page, 'admin-crates');
    await page.getByRole('link', { name: 'Delete… shell-part-45', exact: true }).click();
    await page.getByLabel('Type shell-part-45 to confirm').fill('shell-part-4');
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('alert').waitFor();
    await keepPicture(page, 'admin-delete');
    await page.getByLabel('Type shell-part-45 to confirm').fill('shell-part-45');
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('status').getByText('The crate was deleted.').waitFor();
    await page.goto('/admin/audit?crate=shell-part-45');
    await page.getByRole('cell', { name: 'deleted the crate shell-part-45' }).waitFor();
    await keepPicture(page, 'admin-audit');
  });

  it('let admins add and remove trusted publishers', async () => {
    const page = await browsed.open('/');
    await signIn(page, 'root');
    await page.goto('/admin/publishers');
    await page.getByLabel('Issuer').fill('https://token.ci.example');
    await page.getByLabel('Claims').fill('repository=acme/tidepool\nref=refs/tags/v*');
    await page.getByLabel('Crates', { exact: true }).fill('tidepool tidepool-*');
    await page.getByLabel('User', { exact: true }).fill('nobody');
    await page.getByRole('button', { name: 'Add publisher' }).click();
    await page
      .getByRole('alert')
      .getByText('There is no user “nobody”: “tsreg serve user nobody” creates one.')
      .waitFor();
    await page.getByLabel('User', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Add publisher' }).click();
    await page.getByRole('status').getByText('Publisher added.').waitFor();
    await keepPicture(page, 'admin-publishers');
    await page.setViewportSize({ width: 360, height: 740 });
    await keepPicture(page, 'phone-admin-publishers');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.getByRole('button', { name: 'Remove publisher 1' }).click();
    await page.getByRole('status').getByText('Publisher removed').waitFor();
  });

  it('fit a phone screen, even with long names', async () => {
    const page = await browsed.open('/', PHONE);
    const places = [
      ...['/', '/?q=shell', `/?q=${'x'.repeat(150)}`, '/sign-in'],
      ...[
        '/crates',
        `/keywords/${'a'.repeat(60)}`,
        '/categories',
        '/users/mira',
        '/crates/tidepool/dependents?version=1',
      ],
      ...['', '/versions', '/dependencies', '/dependents', '/features'].flatMap((part) => [
        `/crates/tidepool-macros${part}`,
        `/crates/${LONG_NAME}${part}`,
      ]),
      ...['/crates/tidepool', '/crates/tidepool/0.2.0', '/crates/attacks'],
      ...[
        '/me',
        '/admin',
        '/admin/users',
        '/admin/users/mira',
        '/admin/crates',
        `/admin/crates/${LONG_NAME}/delete`,
        '/admin/publishers',
        '/admin/audit',
      ],
    ];
    await expectNoOverflow(page, places.slice(0, -8));
    await signIn(page, 'root');
    await expectNoOverflow(page, places);
    await page.goto(`/crates/${LONG_NAME}`);
    await keepPicture(page, 'phone-long-name');
    await page.goto('/crates/tidepool-macros/features');
    const tab = await page.locator('.tabs [aria-current]').boundingBox();
    expect(tab?.x ?? -1).toBeGreaterThanOrEqual(0);
    expect((tab?.x ?? 0) + (tab?.width ?? 999)).toBeLessThanOrEqual(360);
    await page.goto('/admin/users');
    for (const button of await page
      .locator('main button, main input:not([type=checkbox]):not([type=hidden])')
      .all()) {
      expect((await button.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(32);
    }
  });

  async function expectNoOverflow(page: Page, places: readonly string[]): Promise<void> {
    for (const place of places) {
      await page.goto(place);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width, place).toBe(360);
    }
  }

  it.each([
    ['light', {}],
    ['dark', DARK],
  ] as const)('have enough contrast in %s mode', async (mode, options) => {
    const page = await browsed.open('/', { ...options, viewport: { width: 1200, height: 800 } });
    await signIn(page, 'root');
    for (const place of [
      '/',
      '/crates/tidepool',
      '/crates/tidepool/0.2.0',
      '/crates/tidepool-macros/dependencies',
      '/crates?sort=downloads',
      '/categories',
      '/crates/tidepool-macros/features#feature-full',
      '/crates/tidepool/dependents?version=1',
      '/me',
      '/admin',
      '/admin/audit?from=nonsense',
      '/admin/users/mira',
      '/admin/crates/tidepool/delete',
    ]) {
      await page.goto(place);
      expect(await page.evaluate(LOW_CONTRAST), place).toEqual([]);
    }
    await page.goto('/crates/tidepool/0.2.0');
    await keepPicture(page, `${mode}-yanked`);
  });

  it('work with the keyboard alone', async () => {
    const page = await browsed.open('/crates/tidepool');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    expect(await focusOf(page)).toBe('Skip to the content');
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await keepPicture(page, 'keyboard-skip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focusOf(page)).toBe('#scheduler');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.name')).toBe('q');
    await page.keyboard.type('macros');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '1 crate for “macros”' }).waitFor();
    await page.goto('/sign-in');
    // On a busy machine the page can load before its first field has the focus.
    await page.waitForFunction("document.activeElement?.name === 'login'");
    await page.keyboard.type('mira');
    await page.keyboard.press('Tab');
    await page.waitForFunction("document.activeElement?.name === 'password'");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'mira' }).waitFor();
    await tabTo(page, 'token-name');
    await page.keyboard.type('by hand');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByText('Token “by hand” created.').waitFor();
    const [token] = (await site.store.records.listTokens(1)).slice(-1);
    expect(token).toMatchObject({ name: 'by hand', scopes: ['read'] });
  });

  it('outline the focused element', async () => {
    const page = await browsed.open('/crates/tidepool');
    for (let i = 0; i < 14; i += 1) {
      await page.keyboard.press('Tab');
      const outline = await page.evaluate(
        'getComputedStyle(document.activeElement).outlineStyle + getComputedStyle(document.activeElement).outlineWidth',
      );
      expect(outline, (await focusOf(page)) ?? '').toBe('solid3px');
    }
    await keepPicture(page, 'keyboard-focus');
  });

  it('label every control, and have exactly one h1 and one main element', async () => {
    const page = await browsed.open('/');
    await signIn(page, 'root');
    for (const place of [
      '/',
      '/crates',
      '/categories',
      '/users/mira',
      '/crates/tidepool/dependents',
      '/me',
      '/admin',
      '/admin/users',
      '/admin/users/mira',
      '/admin/crates',
      '/admin/audit',
      '/admin/crates/tidepool/delete',
    ]) {
      await page.goto(place);
      expect(await page.evaluate(NAMELESS), place).toEqual([]);
      expect(await page.getByRole('heading', { level: 1 }).count(), place).toBe(1);
      expect(await page.getByRole('main').count(), place).toBe(1);
    }
  });
});

async function focusOf(page: Page): Promise<string | null> {
  return page.evaluate('document.activeElement.textContent');
}

async function tabTo(page: Page, id: string): Promise<void> {
  for (let i = 0; i < 40; i += 1) {
    if ((await page.evaluate('document.activeElement.id')) === id) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${id} cannot be reached`);
}
