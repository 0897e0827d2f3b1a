import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { addDemoCrates } from '../helpers/demo-crates.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { NO_GATES } from '../helpers/mirror.ts';
import { makeMirrorSite, type MirrorSite } from '../helpers/mirror-site.ts';
import { NAMELESS } from '../helpers/nameless-controls.ts';
import { PASSWORD } from '../helpers/pages-site.ts';

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true };
const DARK: BrowserContextOptions = { colorScheme: 'dark' };
const DAY_MS = 24 * 60 * 60 * 1000;

const README = `# tidal-wave

A **small** library for waves. Use it like this:

\`\`\`rust
let wave = tidal_wave::Wave::new(3.2);
\`\`\`

See [the guide](docs/guide.md).
`;
const EXTRA = `description = "Waves of all sizes, from ripples to tsunamis"
license = "MIT OR Apache-2.0"
readme = "README.md"
homepage = "https://waves.example.com"
repository = "https://github.com/waves/tidal-wave"`;

describe.skipIf(CHROMIUM === undefined)(`pages of the mirror in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: MirrorSite;
  let browsed: BrowsedSite;

  beforeAll(async () => {
    const gates = {
      ...NO_GATES,
      minAgeMs: 3 * DAY_MS,
      blocked: ['tidal-wave@0.9.0', 'evil-crate'],
      allowed: ['serde'],
    };
    site = await makeMirrorSite({ gates, quotaBytes: 20 * 1024 ** 3 });
    await addDemoCrates(site);
    await site.addUser('root', { isAdmin: true });
    await site.store.records.addReservedName({ pattern: 'acme-*', reason: 'our prefix', atMs: site.nowMs });
    const version = (number: string, days: number, more: object = {}) => ({
      name: 'tidal-wave',
      version: number,
      extra: EXTRA,
      rust_version: '1.74',
      files: { 'src/lib.rs': `pub const VERSION: &str = "${number}";\n`, 'README.md': README },
      deps: ['log ^0.4', { name: 'serde', req: '^1', optional: true, features: ['derive'] }],
      features: { default: ['std'], std: [], serde: ['dep:serde'] },
      index: { pubtime: new Date(site.nowMs - days * DAY_MS).toISOString().replace(/\.\d+/, '') },
      ...more,
    });
    const versions = [version('0.9.0', 200), version('1.0.0', 90, { yanked: true }), version('1.1.0', 20)];
    const archives = ['0.9.0', '1.0.0', '1.1.0'];
    await site.cacheCrate([...versions, version('1.2.0', 1)], { archives });
    await site.cacheCrate([{ name: 'serde', version: '1.0.200' }]);
    await site.cacheCrate([{ name: 'tide', version: '0.16.0' }]);
    browsed = await browse(site);
  });

  afterEach(async () => {
    expect(await browsed.closePages()).toEqual([]);
    expect(site.upstream.status().requests).toBe(0);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function signIn(page: Page): Promise<void> {
    await page.goto('/sign-in');
    await page.getByLabel('Login').fill('root');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'root' }).waitFor();
  }

  /** Opens an address and checks the page. `name` is for its picture. */
  async function expectReadable(page: Page, address: string, name: string): Promise<void> {
    await page.goto(address);
    expect([address, await page.evaluate(LOW_CONTRAST)]).toEqual([address, []]);
    expect([address, await page.evaluate(NAMELESS)]).toEqual([address, []]);
    const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect([address, isWide]).toEqual([address, false]);
    await keepPicture(page, `mirror-${name}${address.replace(/[^a-z0-9]+/g, '-')}`);
  }

  it('show a cached crate with its tabs, and copy the configuration of the mirror', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await browsed.open('/crates/tidal-wave', { permissions });
    await keepPicture(page, 'mirror-crate');
    await page.getByText('Setup', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('replace-with = "mirror"');
    await keepPicture(page, 'mirror-crate-config');
    for (const tab of ['Versions', 'Dependencies', 'Features', 'Source', 'Readme']) {
      await page.getByRole('navigation', { name: 'Crate' }).getByRole('link', { name: tab }).click();
      await page.locator(`.tabs [aria-current]:has-text("${tab}")`).waitFor();
      await keepPicture(page, `mirror-${tab.toLowerCase()}`);
    }
  });

  it('show the source code of cached versions, and compare them', async () => {
    const page = await browsed.open('/crates/tidal-wave/1.1.0/source', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'lib.rs' }).click();
    await page.getByRole('region', { name: 'Content of src/lib.rs' }).waitFor();
    await page.goto('/crates/tidal-wave/versions');
    await page.getByRole('link', { name: 'Compare two cached versions' }).click();
    await page.getByRole('heading', { name: 'Changes from 1.0.0 to 1.1.0' }).waitFor();
    await page.getByLabel('From', { exact: true }).selectOption('1.1.0');
    await page.getByLabel('To', { exact: true }).selectOption('1.0.0');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('heading', { name: 'Changes from 1.1.0 to 1.0.0' }).waitFor();
  });

  it('show cached crates while the user types, after the crates of the registry', async () => {
    const page = await browsed.open('/');
    await page.getByRole('searchbox', { name: 'Search crates' }).pressSequentially('tid');
    await page.getByRole('heading', { name: 'Cached from crates.io' }).waitFor();
    await keepPicture(page, 'mirror-search');
    await page.getByRole('link', { name: 'tidal-wave' }).click();
    await page.getByText('This crate comes from crates.io.').waitFor();
  });

  it.each([
    ['light', {}],
    ['dark', DARK],
    ['phone', PHONE],
    ['phone-dark', { ...PHONE, ...DARK }],
  ] as const)('are readable, named and not wider than the window: %s', async (name, options) => {
    const page = await browsed.open('/', options);
    await signIn(page);
    const addresses = [
      ...['/crates/tidal-wave', '/crates/tidal-wave/versions', '/crates/tidal-wave/dependencies'],
      ...['/crates/tidal-wave/0.9.0', '/crates?from=upstream', '/?q=tid', '/admin/mirror'],
    ];
    for (const address of addresses) await expectReadable(page, address, name);
  });

  it.each([390, 1280])(
    'let an admin block, allow and reserve names without JavaScript, %i pixels wide',
    async (width) => {
      const page = await browsed.open('/', { javaScriptEnabled: false, viewport: { width, height: 844 } });
      await signIn(page);
      await page.goto('/admin/mirror');
      const block = page.getByRole('form', { name: 'Block a crate or a version' });
      await block.getByLabel('Crate').fill(`wave-${width}`);
      await block.getByLabel('Version').fill('1.x');
      await block.getByLabel('Reason').fill('breaks our builds');
      await block.getByRole('button', { name: 'Block' }).click();
      await page.getByText('“1.x” is not a version.').waitFor();
      await keepPicture(page, `mirror-rule-refused-${width}`);
      await block.getByLabel('Version').fill('1.2.3');
      await block.getByRole('button', { name: 'Block' }).click();
      await page.getByText('Blocked. Clients can no longer').waitFor();
      const allow = page.getByRole('form', { name: 'Allow a crate or a version' });
      await allow.getByLabel('Crate').fill(`wave_${width}`);
      await allow.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('Allowed. The other rules').waitFor();
      await page.getByText('no effect: allowed below').waitFor();
      const reserve = page.getByRole('form', { name: 'Reserve a name' });
      await reserve.getByLabel('Name').fill(`spray-${width}-*`);
      await reserve.getByRole('button', { name: 'Reserve' }).click();
      await page.getByText('Name reserved.').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await keepPicture(page, `mirror-rules-${width}`);
      await page.getByRole('button', { name: `Unblock wave-${width}@1.2.3` }).click();
      await page.getByText('Unblocked.').waitFor();
      await page.getByRole('button', { name: `Remove wave_${width}` }).click();
      await page.getByText('Exception removed.').waitFor();
      await page.getByRole('button', { name: `Release spray_${width}_*` }).click();
      await page.getByText('Name released.').waitFor();
    },
  );

  it.each([
    ['light', {}],
    ['phone-dark', { ...PHONE, ...DARK }],
  ] as const)('are readable with source code: %s', async (name, options) => {
    const page = await browsed.open('/crates/tidal-wave/versions', options);
    const addresses = [
      ...['/crates/tidal-wave/1.1.0/source', '/crates/tidal-wave/1.1.0/source/src/lib.rs'],
      '/crates/tidal-wave/compare/1.0.0...1.1.0',
    ];
    for (const address of addresses) await expectReadable(page, address, name);
  });
});
