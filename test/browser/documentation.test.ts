import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { rustdocFiles, uploadDocs, type Files } from '../helpers/documentation.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { NAMELESS } from '../helpers/nameless-controls.ts';
import { makePagesSite, PASSWORD, type PagesSite } from '../helpers/pages-site.ts';

const LOOKS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['light', { viewport: { width: 1280, height: 900 } }],
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 } }],
  ['phone-dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
];

/** A page whose script tries everything that it must not be able to do, and writes the results into the page. */
const HOSTILE: Files = {
  'evil/index.html': '<!doctype html><title>evil</title><ol id="log"></ol><script src="evil.js"></script>',
  'evil/worker.js': 'self.addEventListener("fetch", () => undefined);',
  'evil/evil.js': `
const log = (name, result) => {
  const item = document.createElement('li');
  item.textContent = name + ': ' + result;
  document.getElementById('log').append(item);
};
const attempt = async (name, work) => {
  try { log(name, 'DONE ' + await work()); } catch (error) { log(name, error.name); }
};
(async () => {
  await attempt('cookie', () => document.cookie);
  await attempt('localStorage', () => localStorage.length);
  await attempt('sessionStorage', () => sessionStorage.length);
  await attempt('indexedDB', () => new Promise((resolve, reject) => {
    const request = indexedDB.open('x');
    request.onsuccess = () => resolve('open');
    request.onerror = () => reject(request.error);
  }));
  await attempt('read /me', async () => (await fetch('/me', { credentials: 'include' })).text());
  await attempt('read the API', async () => (await fetch('/api/v1/summary')).text());
  await attempt('serviceWorker', () => navigator.serviceWorker.register('worker.js'));
  await attempt('worker', () => new Worker('worker.js').postMessage('x'));
  await attempt('frame', () => {
    const frame = document.createElement('iframe');
    frame.src = '/me';
    document.body.append(frame);
    return new Promise((resolve, reject) => {
      frame.onload = () => {
        try { resolve(frame.contentDocument.body.textContent); } catch (error) { reject(error); }
      };
      setTimeout(() => reject(new DOMException('', 'NotLoaded')), 500);
    });
  });
  await attempt('opener', () => window.opener.location.href);
  await fetch('/sign-out', { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => undefined);
  await fetch('/crates/evil/settings/yank', {
    method: 'POST', mode: 'no-cors', credentials: 'include', body: new URLSearchParams({ version: '1.0.0' }),
  }).catch(() => undefined);
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/sign-out';
  document.body.append(form);
  form.submit();
  setTimeout(() => log('end', location.pathname.endsWith('/evil/index.html')), 500);
})();
`,
};

/** Returns the results of the hostile script once it has ended. Locators would wait for the form that it tried to send. */
async function logOf(page: Page): Promise<readonly string[]> {
  const read = async (): Promise<readonly string[]> =>
    await page.evaluate<string[]>(
      "Array.from(document.querySelectorAll('#log > li'), (item) => item.textContent)",
    );
  await expect.poll(read, { timeout: 20_000 }).toContain('end: true');
  return await read();
}

describe.skipIf(CHROMIUM === undefined)(`documentation in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    // Private, so that pages in the sandbox get their files only with tickets.
    site = await makePagesSite({ authRequired: true });
    const mira = await site.addUser('mira');
    const actor = { user: mira, token: null };
    const more = { license: 'MIT', description: 'Mugs for tea', rustVersion: '1.70' };
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
      await site.publish(mira, { ...more, name: 'mug', version, documentation: 'https://docs.example/mug' });
      if (version !== '1.2.0')
        await uploadDocs(site.store, { crate: 'mug', version, actor }, rustdocFiles('mug'));
    }
    await site.publish(mira, { name: 'evil', version: '1.0.0' });
    await uploadDocs(site.store, { crate: 'evil', version: '1.0.0', actor }, HOSTILE);
    browsed = await browse(site);
  });

  afterEach(async () => {
    await browsed.closePages();
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browsed.open(`/sign-in?return=${encodeURIComponent(address)}`, options);
    await page.getByLabel('Login').fill('mira');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => url.pathname !== '/sign-in');
    return page;
  }

  it('opens from the page of a crate with its styles, scripts, images, fonts and search', async () => {
    const page = await open('/crates/mug/1.1.0');
    const fonts: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.woff2')) fonts.push(`${response.status()}`);
    });
    await page.getByRole('link', { name: 'Documentation', exact: true }).first().click();
    await page.getByRole('heading', { name: 'mug index' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/docs\/mug\/1\.1\.0\/~[^/]+\/mug\/index\.html$/);
    expect(await page.evaluate('origin')).toBe('null');
    expect(await page.evaluate('document.documentElement.dataset.inline')).toBe('ran');
    expect(await page.evaluate('getComputedStyle(document.body).margin')).toBe('7px');
    expect(await page.evaluate('document.images[0].naturalWidth')).toBe(16);
    await expect.poll(() => fonts).toEqual(['200']);
    await page.getByLabel('Search').fill('po');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').getByText('pour').waitFor();
    expect(new URL(page.url()).search).toBe('?search=po');
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgb(0, 0, 0)',
    );
    await page.getByRole('link', { name: 'Mug' }).click();
    await page.getByRole('heading', { name: 'struct Mug' }).waitFor();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.getByRole('link', { name: 'Missing' }).click();
    await page.getByText('has no page at this address').waitFor();
    await page.getByRole('link', { name: 'Go to its first page' }).click();
    await page.getByRole('heading', { name: 'mug index' }).waitFor();
    expect(browsed.strayRequests).toEqual([]);
  });

  it('keeps the theme from page to page of a tab, whatever the window was named before', async () => {
    const page = await open('/docs/mug');
    for (const name of ['other', 'rustdoc:', 'rustdoc:null', 'rustdoc:[1]', 'rustdoc:{"rustdoc-theme":5}']) {
      await page.evaluate(`window.name = ${JSON.stringify(name)}`);
      await page.reload();
      expect(await page.evaluate('document.documentElement.dataset.theme'), name).toBe('light');
      await page.getByRole('button', { name: 'Dark' }).click();
      await page.reload();
      expect(await page.evaluate('document.documentElement.dataset.theme'), name).toBe('dark');
    }
  });

  it('stays readable without JavaScript', async () => {
    const page = await open('/docs/mug', { javaScriptEnabled: false });
    await page.getByRole('heading', { name: 'mug index' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/docs\/mug\/1\.1\.0\//);
  });

  it('runs no scripts if the operator allows none, and stays readable', async () => {
    await using quiet = await makePagesSite({ documentation: 'static' });
    const mira = await quiet.addUser('mira');
    await quiet.publish(mira, { name: 'mug', version: '1.0.0' });
    const actor = { user: mira, token: null };
    await uploadDocs(quiet.store, { crate: 'mug', version: '1.0.0', actor }, rustdocFiles('mug'));
    await using shown = await browse(quiet);
    const page = await shown.open('/docs/mug');
    await page.getByRole('link', { name: 'Mug' }).click();
    await page.getByRole('heading', { name: 'struct Mug' }).waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).marginTop')).toBe('7px');
    expect(await page.evaluate('({ ...document.documentElement.dataset })')).toEqual({});
    await shown.closePages();
  });

  it('cannot read the session, call the registry as the reader, or change anything', async () => {
    const page = await open('/docs/evil/1.0.0/');
    const results = await logOf(page);
    expect(results.filter((result) => result.includes('DONE'))).toEqual([]);
    expect(results.map((result) => result.split(':')[0])).toEqual([
      ...['cookie', 'localStorage', 'sessionStorage', 'indexedDB', 'read /me', 'read the API'],
      ...['serviceWorker', 'worker', 'frame', 'opener', 'end'],
    ]);
    await page.goto('/me');
    await page.getByRole('heading', { name: 'mira' }).first().waitFor();
    expect((await site.store.records.findVersion('evil', '1.0.0'))?.isYanked).toBe(false);
  });

  it('shows the reader a normal page if a script leads there, which the script cannot see', async () => {
    const page = await open('/docs/evil/1.0.0/');
    await logOf(page);
    await page.evaluate("top.location = '/me'");
    await page.waitForURL('**/me');
    expect(await page.evaluate('origin')).toBe(browsed.url);
    await page.goBack();
    await logOf(page);
    const popup = page.waitForEvent('popup');
    await page.evaluate("window.popup = window.open('/me')");
    await (await popup).waitForLoadState();
    expect(
      await page.evaluate(
        '(() => { try { return popup.document.title; } catch (error) { return error.name; } })()',
      ),
    ).toMatch(/SecurityError|TypeError/);
  });

  it.each(LOOKS)('has links and settings that fit the window: %s', async (name, options) => {
    const page = await open('/crates/mug', options);
    await page.getByRole('link', { name: 'Documentation of 1.1.0' }).first().waitFor();
    for (const [place, path] of [
      ['crate', '/crates/mug/1.1.0'],
      ['versions', '/crates/mug/versions'],
      ['settings', '/crates/mug/settings'],
    ] as const) {
      await page.goto(path);
      if (place === 'settings')
        await page.locator('summary', { hasText: 'Remove documentation… of 1.1.0' }).click();
      await keepPicture(page, `documentation-${place}-${name}`);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path).toBe(true);
      expect(await page.evaluate(NAMELESS), path).toEqual([]);
      expect(await page.evaluate(LOW_CONTRAST), path).toEqual([]);
    }
    await page.getByRole('button', { name: 'Remove documentation of 1.1.0' }).waitFor();
  });

  it('is removed with the keyboard and without JavaScript', async () => {
    const page = await open('/crates/mug/settings', { javaScriptEnabled: false });
    await page.locator('summary', { hasText: 'Remove documentation… of 1.0.0' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Documentation removed.').waitFor();
    expect(await site.store.records.findDocumentation('mug', '1.0.0')).toBeNull();
  });
});
