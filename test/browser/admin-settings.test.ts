import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { NAMELESS } from '../helpers/nameless-controls.ts';
import { makePagesSite, PASSWORD, type PagesSite } from '../helpers/pages-site.ts';

const PATH = '/admin/settings';
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><rect width="90" height="30" rx="6" fill="#0f766e"/></svg>`;
const LOOKS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['light', { viewport: { width: 1280, height: 900 } }],
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 } }],
  ['phone-dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
];

describe.skipIf(CHROMIUM === undefined)(`the settings of the website in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makePagesSite({ fixedIdentity: new Set(['registry-name']) });
    await site.addUser('root', { isAdmin: true });
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
    const page = await browsed.open(`/sign-in?return=${encodeURIComponent(PATH)}`, options);
    await page.getByLabel('Login').fill('root');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`**${PATH}`);
    return page;
  }

  it('change name, colour, logo and welcome text, and undo it, without JavaScript', async () => {
    const page = await open({ javaScriptEnabled: false });
    expect(await page.getByLabel('Name of the registry in examples').isDisabled()).toBe(true);
    await page.getByLabel('Name of the website').fill('Acme crates');
    await page.getByLabel('Colour of links and buttons').fill('#0f766e');
    await page.getByLabel('Welcome text on the start page').fill('## Hello\n\nAsk **us**.');
    const file = { name: 'acme.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) };
    await page.getByLabel('Logo', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings saved.').waitFor();
    expect(await page.title()).toBe('Settings · Acme crates');
    expect(await page.getByLabel('Welcome text on the start page').inputValue()).toBe(
      '## Hello\n\nAsk **us**.',
    );
    expect(await page.locator('.brand img').getAttribute('src')).toMatch(/\.svg$/);
    expect((await page.locator('.logo-row img').boundingBox())?.width).toBeCloseTo(120, 0);
    await page.goto('/');
    expect(await page.getByRole('heading', { name: 'Hello' }).isVisible()).toBe(true);
    await page.goto(PATH);
    await page.getByLabel('Name of the website').fill('');
    await page.getByLabel('Remove the logo').check();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings saved.').waitFor();
    expect(await page.title()).toBe('Settings · Crate registry');
    expect(await page.getByLabel('Remove the logo').count()).toBe(0);
  });

  it('say what is wrong next to the field, which gets the focus', async () => {
    const page = await open({});
    await page.getByLabel('Colour of links and buttons').fill('teal');
    const file = { name: 'acme.html', mimeType: 'text/html', buffer: Buffer.from('<html>') };
    await page.getByLabel('Logo', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Use a colour such as #3451b2.').waitFor();
    expect(await page.getByText('Use an SVG, PNG, WebP or JPEG image of at most 256 KiB.').isVisible()).toBe(
      true,
    );
    expect(await page.locator(':focus').getAttribute('id')).toBe('accent');
    expect(await page.getByLabel('Colour of links and buttons').inputValue()).toBe('teal');
    await keepPicture(page, 'admin-settings-problems');
  });

  it('turn badges on and off without JavaScript, and say which site is wrong', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.getByLabel('Show badges').check();
    await page.getByLabel('Sites').fill('https://img.shields.io');
    await page.getByRole('button', { name: 'Save badges' }).click();
    await page.getByText('Use names such as img.shields.io').waitFor();
    expect(await page.locator(':focus').getAttribute('id')).toBe('badge-hosts');
    await keepPicture(page, 'admin-settings-badges-problem');
    await page.getByLabel('Sites').fill('img.shields.io\nbadgen.net');
    await page.getByRole('button', { name: 'Save badges' }).click();
    await page.getByText('Badges saved.').waitFor();
    expect(await page.getByLabel('Show badges').isChecked()).toBe(true);
    expect(await page.getByLabel('Sites').inputValue()).toBe('img.shields.io\nbadgen.net');
    await page.getByLabel('Show badges').uncheck();
    await page.getByRole('button', { name: 'Save badges' }).click();
    await page.getByText('Badges saved.').waitFor();
    expect(await page.getByLabel('Show badges').isChecked()).toBe(false);
  });

  it.each(LOOKS)('fit the screen and are readable: %s', async (name, options) => {
    const page = await open(options);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
    expect(await page.evaluate(NAMELESS)).toEqual([]);
    await keepPicture(page, `admin-settings-${name}`);
  });
});
