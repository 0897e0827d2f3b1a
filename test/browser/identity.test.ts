import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { addDemoCrates } from '../helpers/demo-crates.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { makePagesSite, type PagesSite } from '../helpers/pages-site.ts';
import { TEST_IDENTITY } from '../helpers/test-identity.ts';

/** Wider than high, with a script that would show itself in the title. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><rect width="90" height="30" rx="6" fill="#fc0"/>
<text x="45" y="21" text-anchor="middle" font-size="18">ACME</text><script>top.document.title = 'run'</script></svg>`;

describe.skipIf(CHROMIUM === undefined)(`an identity in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: PagesSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    site = await makePagesSite({
      identity: {
        ...TEST_IDENTITY,
        siteName: 'Acme crates',
        registryName: 'acme',
        // Readable on neither background as it is.
        accent: [0xff, 0xcc, 0x00],
        logo: { kind: 'svg', bytes: new TextEncoder().encode(LOGO) },
        welcomeHtml: '<h2>Welcome</h2><p>Ask in <code>#rust</code> for an <a href="/me">account</a>.</p>',
      },
    });
    await addDemoCrates(site);
    browsed = await browse(site);
  });

  afterEach(async () => {
    expect(await browsed.closePages()).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  it.each(['light', 'dark'] as const)('has enough contrast in %s mode, whatever its colour', async (mode) => {
    const page = await browsed.open('/', { colorScheme: mode });
    for (const place of ['/', '/crates/tidepool', '/?q=shell', '/sign-in', '/crates/tidepool/versions']) {
      await page.goto(place);
      expect(await page.evaluate(LOW_CONTRAST), place).toEqual([]);
    }
    await page.goto('/');
    await keepPicture(page, `identity-${mode}`);
  });

  it('shows its logo in the header, and never runs it', async () => {
    const page = await browsed.open('/');
    expect(await page.evaluate("document.querySelector('.brand img').naturalWidth")).toBeGreaterThan(0);
    expect((await page.locator('.brand img').boundingBox())?.height).toBe(32);
    expect(await page.title()).toBe('Acme crates');
    const address = await page.locator('.brand img').getAttribute('src');
    await page.goto(address ?? '/');
    expect(await page.title()).not.toBe('run');
    // Chromium reports the script that the policy refused.
    expect(browsed.complaints.splice(0).join()).toContain('script');
  });

  it('switches between the ways to add a crate without JavaScript, with mouse and keyboard', async () => {
    const page = await browsed.open('/crates/tidepool', { javaScriptEnabled: false });
    const [command, line] = [page.getByText('cargo add tidepool'), page.getByText('tidepool = {')];
    expect([await command.isVisible(), await line.isVisible()]).toEqual([true, false]);
    await page.getByText('Cargo.toml', { exact: true }).click();
    expect([await command.isVisible(), await line.isVisible()]).toEqual([false, true]);
    await page.getByRole('radio', { name: 'Cargo.toml' }).focus();
    await page.keyboard.press('ArrowLeft');
    expect([await command.isVisible(), await line.isVisible()]).toEqual([true, false]);
  });

  it('fits a phone screen', async () => {
    const page = await browsed.open('/', { viewport: { width: 360, height: 740 }, hasTouch: true });
    for (const place of ['/', '/crates/tidepool', '/nothing']) {
      await page.goto(place);
      expect(await page.evaluate('document.documentElement.scrollWidth'), place).toBe(360);
    }
    expect(browsed.complaints.splice(0).every((text) => text.includes('404'))).toBe(true);
  });

  it('fits a phone screen with a name of 60 letters without a space', async () => {
    const { identity } = site.context.settings;
    await using wide = await makePagesSite({ identity: { ...identity, siteName: 'W'.repeat(60) } });
    await using wideBrowsed = await browse(wide);
    const page = await wideBrowsed.open('/', { viewport: { width: 360, height: 740 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  it('leaves the start page usable while results replace the lists', async () => {
    const page = await browsed.open('/');
    await page.getByRole('heading', { name: 'Most downloaded' }).waitFor();
    await page.getByRole('searchbox').fill('shell');
    await page.getByRole('heading', { name: '45 crates for “shell”' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Most downloaded' }).count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Use this registry' }).isVisible()).toBe(true);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('heading', { name: 'Most downloaded' }).waitFor();
  });
});
