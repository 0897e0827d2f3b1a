import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { NAMELESS } from '../helpers/nameless-controls.ts';
import { makePagesSite, type PagesSite } from '../helpers/pages-site.ts';
import { packFiles, PNG } from '../helpers/source-crates.ts';
import { FEED_ATTACKS, IMAGE_ATTACKS } from '../server/pages/readme-attacks.ts';

const README = `# kelp

![The logo of kelp](logo.png) A store for logs[^store] that many writers share. Read the [guide](guide.md#L1)
or the [contract](../LICENSE).

> [!NOTE]
> Readers never wait for writers.

> [!TIP]
> Use \`Store::reader\` in tests.

> [!IMPORTANT]
> Call \`flush\` before the process ends, or the last entries are lost. See the [guide](guide.md).

> [!WARNING]
> A store on a network file system can be **slow**.

> [!CAUTION]
> \`Store::remove\` deletes all entries.

## Roadmap

- [x] Append and read
- [x] Snapshots, with \`Store::snapshot\`
- [ ] Compaction[^compact]
  - [ ] in the background, so that a writer does not wait for it even if the disk is slow

[![build](https://ci.example/badge.svg)](https://ci.example/) ![plan](plan.svg)

[^store]: One directory with segments of 64 MiB.
[^compact]: Planned for the next release. It needs two rules:

    - Segments are immutable.
    - A snapshot keeps its segments.
`;

/** Runs in the page: parses a feed as strictly as XML requires, and returns its error or its fields. */
const PARSE_FEED = `(async (path) => {
  const text = await (await fetch(path)).text();
  const xml = new DOMParser().parseFromString(text, 'application/xml');
  const error = xml.querySelector('parsererror');
  if (error !== null) return error.textContent;
  const field = (parent, name) => [...parent.children].find((child) => child.localName === name)?.textContent;
  return {
    root: [xml.documentElement.namespaceURI, xml.documentElement.localName],
    title: field(xml.documentElement, 'title'),
    elements: new Set([...xml.querySelectorAll('*')].map((element) => element.namespaceURI)).size,
    entries: [...xml.querySelectorAll('entry')].map((entry) => ({
      title: field(entry, 'title'),
      summary: field(entry, 'summary'),
      author: entry.querySelector('author > name').textContent,
      term: entry.querySelector('category')?.getAttribute('term'),
      link: entry.querySelector('link').getAttribute('href'),
    })),
  };
})`;

describe.skipIf(CHROMIUM === undefined)(`readmes and feeds in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makePagesSite();
    const owner = await site.addUser('mira', { name: 'Mira Okafor' });
    const archive = packFiles('kelp-1.0.0', {
      LICENSE: 'MIT',
      'docs/README.md': README,
      'docs/guide.md': '# Guide\n',
      'docs/logo.png': PNG,
    });
    const about = { name: 'kelp', description: 'Logs that many writers share', license: 'MIT' };
    await site.publish(
      owner,
      { ...about, version: '1.0.0', readme: README, readmeFile: 'docs/README.md' },
      archive,
    );
    const attacks = IMAGE_ATTACKS.join('\n\n');
    await site.publish(
      owner,
      { name: 'attacks', version: '1.0.0', readme: attacks },
      packFiles('attacks-1.0.0', { 'x.png': PNG }),
    );
    // The database refuses texts with control characters.
    for (const [index, attack] of FEED_ATTACKS.filter(
      (text) => !/[\0-\x1f\ud800-\udfff\ufffe]/.test(text),
    ).entries())
      await site.publish(owner, {
        ...{ name: `feed-${index}`, version: '1.0.0', description: attack, keywords: [attack] },
      });
    browsed = await browse(site);
  });

  afterEach(async () => {
    expect(await browsed.closePages()).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  it('show images of the archive, and lead to its files', async () => {
    const page = await browsed.open('/crates/kelp');
    await page.getByRole('img', { name: 'The logo of kelp' }).waitFor();
    await page.waitForFunction("document.querySelector('.readme img').naturalWidth === 1");
    await page.getByRole('link', { name: 'guide' }).first().click();
    expect(new URL(page.url()).pathname).toBe('/crates/kelp/1.0.0/source/docs/guide.md');
    expect(await page.locator('.row:target').textContent()).toContain('# Guide');
    await page.goto('/crates/kelp');
    await page.getByRole('link', { name: 'contract' }).click();
    await page.getByRole('region', { name: 'Content of LICENSE' }).waitFor();
    await page.goto('/crates/kelp');
    await page.getByRole('link', { name: 'plan' }).click();
    await page.getByRole('heading', { name: 'No such file' }).waitFor();
    await page.getByRole('link', { name: 'See the files of this version' }).click();
    await page.getByRole('heading', { level: 1, name: 'kelp 1.0.0' }).waitFor();
    expect(browsed.complaints.splice(0)).toEqual([expect.stringContaining('status of 404')]);
  });

  it('lead from a footnote to its text and back, with the keyboard alone', async () => {
    const page = await browsed.open('/crates/kelp', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Footnote 2' }).focus();
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#readme-fn-2');
    expect(await page.locator('li:target').textContent()).toContain('Planned for the next release.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#readme-fnref-2');
  });

  it('have tasks whose state is announced and cannot be changed', async () => {
    const page = await browsed.open('/crates/kelp');
    const done = page.getByRole('checkbox', { name: 'Completed task' });
    expect(await done.count()).toBe(2);
    expect(await done.first().isDisabled()).toBe(true);
    expect(await done.first().isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Incomplete task' }).count()).toBe(2);
  });

  it('show the link of a heading when it is pointed at or has the focus', async () => {
    const page = await browsed.open('/crates/kelp');
    const heading = page.getByRole('heading', { name: 'Roadmap' });
    const opacity = (): Promise<unknown> =>
      page.evaluate("getComputedStyle(document.querySelector('#readme-roadmap .anchor')).opacity");
    expect(await opacity()).toBe('0');
    await heading.hover();
    expect(await opacity()).toBe('1');
    await page.mouse.move(0, 0);
    await page.keyboard.press('Tab');
    await heading.getByRole('link').focus();
    expect(await opacity()).toBe('1');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#readme-roadmap');
  });

  it('load nothing but raw files of the archive, and run nothing', async () => {
    const page = await browsed.open('about:blank');
    let isRunning = false;
    page.on('dialog', (dialog) => {
      isRunning = true;
      void dialog.dismiss();
    });
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (request.resourceType() === 'image') requests.push(pathname + search);
    });
    await page.goto('/crates/attacks');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.waitForTimeout(500);
    expect(requests.some((address) => address.endsWith('/source/x.png?raw'))).toBe(true);
    for (const address of requests)
      expect(address).toMatch(/^\/(?:assets\/|crates\/attacks\/1\.0\.0\/source\/[^/?]+\?raw$)/);
    expect(isRunning).toBe(false);
    expect(await page.locator('.readme *').evaluateAll(HANDLERS)).toEqual([]);
    // Most of these files do not exist.
    for (const complaint of browsed.complaints.splice(0)) expect(complaint).toContain('status of 404');
  });

  it('have feeds that a strict parser of XML accepts', async () => {
    const page = await browsed.open('/crates/kelp');
    const found = await page.evaluate(`${PARSE_FEED}('/crates/kelp/feed.atom')`);
    expect(found).toEqual({
      root: ['http://www.w3.org/2005/Atom', 'feed'],
      title: 'kelp · Crate registry',
      elements: 1,
      entries: [
        {
          title: 'kelp 1.0.0',
          summary: 'Logs that many writers share',
          author: 'Mira Okafor',
          link: 'http://127.0.0.1:7878/crates/kelp/1.0.0',
        },
      ],
    });
    const attacks = FEED_ATTACKS.filter((text) => !/[\0-\x1f\ud800-\udfff\ufffe]/.test(text));
    expect(attacks.length).toBeGreaterThan(5);
    expect(await page.evaluate(`${PARSE_FEED}('/feed.atom')`)).toMatchObject({
      elements: 1,
      entries: [
        ...attacks.map((attack) => ({ summary: attack, term: attack })).reverse(),
        { title: 'attacks 1.0.0' },
        { title: 'kelp 1.0.0' },
      ],
    });
  });

  it('fit a phone screen', async () => {
    const page = await browsed.open('/', { viewport: { width: 360, height: 740 }, hasTouch: true });
    await page.goto('/crates/kelp');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  it.each(['light', 'dark'] as const)('have enough contrast and names in %s mode', async (mode) => {
    const page = await browsed.open('/', { colorScheme: mode });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/crates/kelp');
      expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
      expect(await page.evaluate(NAMELESS)).toEqual([]);
      await keepReadme(page, `${mode}-readme-${width}`);
    }
  });
});

/** Returns attributes that run code. */
const HANDLERS = (elements: readonly { getAttributeNames(): readonly string[] }[]): readonly string[] =>
  elements.flatMap((element) =>
    element.getAttributeNames().filter((name) => /^on|^style$|^srcset$/.test(name)),
  );

async function keepReadme(page: Page, name: string): Promise<void> {
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await page.waitForTimeout(200);
  await page.evaluate('scrollTo(0, 0)');
  await keepPicture(page, name);
}
