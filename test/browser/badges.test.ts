import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawBadge } from '../../src/server/http/badges/badge-svg.ts';
import { BADGE_HOSTS, type BadgeSites, startBadgeSites } from '../helpers/badge-sites.ts';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { makePagesSite, type PagesSite } from '../helpers/pages-site.ts';
import type { WireAnswer } from '../helpers/recording-server.ts';

const README = `# Mug

[![Build](https://token.example/build.svg)](https://ci.example) ![Version](https://token.example/version.svg)
![Docs](https://crates.io/docs.svg) ![Missing badge](https://crates.io/missing.svg) ![A photo](https://photos.example/mug.jpg)

Holds tea.
`;
const LOOKS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['light', { viewport: { width: 1280, height: 900 } }],
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 } }],
  ['phone-dark', { viewport: { width: 390, height: 740 }, colorScheme: 'dark' }],
];

/** Returns an image that tries what a page could do: run scripts, and load from `stranger`. */
function hostileSvg(stranger: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xhtml" width="90" height="20"
  onload="document.documentElement.id = 'ran'"><script>document.documentElement.id = 'ran'</script>
  <rect width="90" height="20" rx="4" fill="#3b424d"/><image href="${stranger}/x.png"/>
  <foreignObject width="9" height="9"><x:iframe src="${stranger}/page"/></foreignObject></svg>`;
}

function respond(target: string, stranger: string): WireAnswer {
  const { pathname } = new URL(target, stranger);
  if (pathname === '/missing.svg') return { status: 404 };
  const badge = drawBadge({ label: pathname.slice(1, -4), value: 'passing', colour: 'blue' });
  const body = pathname === '/docs.svg' ? hostileSvg(stranger) : badge;
  return { headers: [['Content-Type', 'image/svg+xml']], body };
}

describe.skipIf(CHROMIUM === undefined)(`badges in readmes in Chromium${NEEDS_CHROMIUM}`, () => {
  let sites: BadgeSites;
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    sites = await startBadgeSites();
    site = await makePagesSite({ badgeHosts: BADGE_HOSTS }, { http: sites.http });
    const owner = await site.addUser('mira');
    await site.publish(owner, { name: 'mug', version: '1.0.0', description: 'Holds tea', readme: README });
    browsed = await browse(site);
  });

  beforeEach(() => sites.server.restart(({ target }) => respond(target, sites.server.url)));

  /** The missing badge is an error in the console. */
  afterEach(async () => {
    const complaints = await browsed.closePages();
    expect(complaints.filter((complaint) => !complaint.includes('status of 404'))).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    await sites[Symbol.asyncDispose]();
  });

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browsed.open('/crates/mug', options);
    await page.waitForLoadState('networkidle');
    return page;
  }

  it('are images of this site, and links stay links', async () => {
    const page = await open({ javaScriptEnabled: false });
    const build = page.getByRole('link', { name: 'Build' }).getByRole('img', { name: 'Build' });
    expect(await build.isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'A photo' }).getAttribute('href')).toBe(
      'https://photos.example/mug.jpg',
    );
    expect(await page.getByRole('img', { name: 'Version' }).isVisible()).toBe(true);
  });

  it('show their text if they cannot be fetched', async () => {
    const page = await open();
    const missing = page.getByRole('img', { name: 'Missing badge' });
    const loaded = `[...document.querySelectorAll('.readme img')].map((image) => image.naturalWidth > 0)`;
    expect(await page.evaluate(loaded)).toEqual([true, true, true, false]);
    // An image without its text would have the size of an icon.
    expect((await missing.boundingBox())?.width).toBeGreaterThan(80);
  });

  it('run no scripts and load nothing, even opened as a page', async () => {
    const page = await open();
    const path = (await page.getByRole('img', { name: 'Docs' }).getAttribute('src')) ?? '';
    await page.goto(path);
    expect(await page.evaluate('document.documentElement.localName + document.documentElement.id')).toBe(
      'svg',
    );
    expect(
      sites.server.requests.map(({ target }) => target).filter((target) => target.startsWith('/')),
    ).toEqual([]);
    // The browser reports requests that it blocked too.
    browsed.strayRequests.splice(0);
    expect(browsed.complaints.splice(0).join('\n')).toContain('Content Security Policy');
  });

  it.each(LOOKS)('fit the screen: %s', async (name, options) => {
    const page = await open(options);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
    await keepPicture(page, `badges-${name}`);
  });
});
