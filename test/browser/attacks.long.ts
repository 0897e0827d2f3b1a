import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { feedDocument } from '../../src/server/pages/browse/feed.ts';
import { sourcePath } from '../../src/server/pages/shared/paths.ts';
import { present } from '../../src/core/errors/assert.ts';
import { ACTIVE_CONTENT } from '../helpers/active-content.ts';
import { addAttacks, ALL_LINES, attackingFiles, LINES } from '../helpers/attacked-site.ts';
import { browse, CHROMIUM, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { makePagesSite, PASSWORD, type PagesSite } from '../helpers/pages-site.ts';
import { TEST_IDENTITY } from '../helpers/test-identity.ts';
import { ATTACKS } from '../server/pages/html-attacks.ts';

const FILES = Object.keys(attackingFiles('1.1.0'));
/** Pages with all attacks in the places where a page escapes them. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  'descriptions, licenses, links and owners': [
    '/crates/everything',
    '/crates?sort=updated',
    '/?q=everything',
  ],
  'keywords, categories and features': ['/keywords', '/categories', '/crates/everything/features'],
  'user names': ['/users/mira', '/admin/users', '/admin/users/mira'],
  'reasons and the audit trail': [
    ...['/crates/everything/1.0.0', '/crates/everything/versions', '/crates/everything/settings'],
    ...['/admin/audit', '/admin'],
  ],
  'searches and addresses': encodedParts().flatMap((text) => [
    `/?q=${text}`,
    `/crates/${text}`,
    `/admin/audit?user=${text}&from=${text}`,
  ]),
  'source files': [
    ...['', 'src', ...FILES.filter((file) => file.startsWith('src/'))].map((file) =>
      sourcePath({ crate: 'everything', version: '1.1.0' }, file),
    ),
  ],
  differences: ['', '?view=split'].map((view) => `/crates/everything/compare/1.0.0...1.1.0${view}`),
};

describe.skipIf(CHROMIUM === undefined)(`hostile texts in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;
  let page: Page;
  let dialogs = 0;

  beforeAll(async () => {
    site = await makePagesSite({ identity: { ...TEST_IDENTITY, siteName: ALL_LINES } });
    await addAttacks(site);
    browsed = await browse(site);
    // Without the policy of the pages, so that only the pages themselves keep the texts from running.
    page = await browsed.open('/sign-in', { bypassCSP: true });
    page.on('dialog', (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    await page.getByLabel('Login').fill('mira');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/me');
  }, 180_000);

  afterEach(() => {
    expect(dialogs).toBe(0);
    expect(browsed.strayRequests.splice(0)).toEqual([]);
    // Relative images of readmes lead to files that do not exist.
    expect(browsed.complaints.splice(0).filter((text) => !text.includes('status of 404'))).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  /** Opens a page and checks that it is inert, and still at its address. */
  async function expectInert(address: string): Promise<void> {
    await page.goto(address);
    expect(await page.evaluate(ACTIVE_CONTENT), address).toEqual([]);
    expect(new URL(page.url()).pathname, address).toBe(new URL(address, browsed.url).pathname);
    expect(dialogs, address).toBe(0);
  }

  it('are at least 200', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(200);
    expect(FILES.length).toBeGreaterThanOrEqual(100);
  });

  it('are recognized by this test: it would find scripts, handlers and foreign addresses', async () => {
    const active = [
      '<i onclick=alert(1)></i>',
      '<a href=javascript:alert(1)></a>',
      '<img src=//evil.example/x>',
      '<p style=color:red></p>',
    ];
    await page.goto('/nowhere');
    const complaint = page.waitForEvent('console', (message) => message.text().includes('net::ERR'));
    await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(active.join(''))}`);
    expect(await page.evaluate(ACTIVE_CONTENT)).toHaveLength(active.length);
    // It is the last event of the failed request.
    await complaint;
    expect(browsed.strayRequests.splice(0)).toEqual(['http://evil.example/x']);
    browsed.complaints.splice(0);
  });

  it('are inert as readmes', async () => {
    for (const index of ATTACKS.keys()) await expectInert(`/crates/readme-${index}`);
  }, 900_000);

  it.each(Object.entries(PLACES))(
    'are inert in %s',
    async (_, addresses) => {
      for (const address of addresses) await expectInert(address);
    },
    120_000,
  );

  it('are shown literally', async () => {
    const text = ALL_LINES.replace(/\s+/g, ' ');
    for (const address of [
      '/crates/everything',
      '/crates/everything/1.0.0',
      '/users/mira',
      '/admin/users/mira',
    ]) {
      await page.goto(address);
      expect(
        await page.evaluate("document.querySelector('main').textContent.replace(/\\s+/g, ' ')"),
      ).toContain(text);
    }
    await page.goto('/categories');
    const shown = await page.locator('ul.categories a').allTextContents();
    expect(new Set(shown.map((name) => name.trim()))).toEqual(new Set(LINES.map((line) => line.trim())));
  }, 120_000);

  it('are inert as names of files, in lists and on their own pages', async () => {
    const named = FILES.filter((file) => file.startsWith('names/'));
    await page.goto(sourcePath({ crate: 'everything', version: '1.1.0' }));
    const shown = await page.evaluate(
      "[...document.querySelectorAll('main a')].map((a) => a.textContent).join('\\n')",
    );
    for (const file of named) expect(shown).toContain(present(file.split('/').at(-1), 'the name of a file'));
    for (const file of named.slice(0, 20))
      await expectInert(sourcePath({ crate: 'everything', version: '1.1.0' }, file));
  }, 180_000);

  it('are text in feeds, and in the titles of feeds', async () => {
    const version = present(await site.store.records.findVersion('everything', '1.1.0'), 'a version');
    const feeds = ATTACKS.map((title) => {
      const paths = { path: '/feed.atom', pagePath: '/', baseUrl: browsed.url, emptySinceMs: 0 };
      const metadata = { ...version.metadata, description: title, keywords: [title] };
      return feedDocument({ ...paths, siteName: title, title, versions: [{ ...version, metadata }] }).text;
    });
    await page.goto('/nowhere');
    const served = await page.evaluate(
      "fetch('/crates/everything/feed.atom').then((answer) => answer.text())",
    );
    expect(await page.evaluate(`(${PARSE_FEEDS})(${JSON.stringify([...feeds, served])})`)).toEqual(
      [...feeds, served].map(() => 'http://www.w3.org/2005/Atom feed 1'),
    );
    browsed.complaints.splice(0);
  }, 120_000);
});

/** Returns all attacks for addresses, each of which has a few thousand characters. */
function encodedParts(): readonly string[] {
  const parts: string[] = [];
  for (const line of LINES) {
    const [last, text] = [parts.at(-1) ?? '', encodeURIComponent(`${line} `)];
    if (parts.length > 0 && last.length + text.length < 3000) parts[parts.length - 1] = last + text;
    else parts.push(text);
  }
  return parts;
}

/** Runs in the page: parses feeds and returns the namespaces, the root and the number of entries of each. */
const PARSE_FEEDS = `(feeds) => feeds.map((feed) => {
  const xml = new DOMParser().parseFromString(feed, 'application/xml');
  const spaces = [...new Set([...xml.querySelectorAll('*')].map((element) => element.namespaceURI))];
  return [...spaces, xml.documentElement.localName, xml.querySelectorAll('entry').length].join(' ');
})`;
