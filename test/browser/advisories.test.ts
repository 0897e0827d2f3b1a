import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { AdvisoryDatabase } from '../../src/server/publish/advisories/advisory-database.ts';
import { rustsecFile, writeFiles } from '../helpers/advisory-files.ts';
import { browse, CHROMIUM, keepPicture, NEEDS_CHROMIUM, type BrowsedSite } from '../helpers/chromium.ts';
import { LOW_CONTRAST } from '../helpers/low-contrast.ts';
import { NO_GATES } from '../helpers/mirror.ts';
import { makeMirrorSite, type MirrorSite } from '../helpers/mirror-site.ts';
import { NAMELESS } from '../helpers/nameless-controls.ts';
import { PASSWORD } from '../helpers/pages-site.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true };
const DARK: BrowserContextOptions = { colorScheme: 'dark' };
const CVSS = 'cvss = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"';

/** Writes advisories about the crates of the site. */
function writeAdvisories(folder: string): void {
  const wave = { crate: 'tidal-wave', patched: ['>=1.1.0', '^0.9.4'] };
  writeFiles(folder, {
    'crates/tidal-wave/RUSTSEC-2026-0011.md': rustsecFile({
      ...{ ...wave, id: 'RUSTSEC-2026-0011', extra: CVSS },
      title: 'Waves that are higher than the buffer write behind its end, which lets strangers run code',
    }),
    'crates/tidal-wave/RUSTSEC-2025-0042.md': rustsecFile({
      ...{ ...wave, id: 'RUSTSEC-2025-0042', title: 'Denial of service from waves of zero length' },
      extra: 'cvss = "CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N"',
    }),
    'crates/tidal-wave/RUSTSEC-2026-0020.md': rustsecFile({
      ...{ id: 'RUSTSEC-2026-0020', crate: 'tidal-wave', title: '`tidal-wave` is unmaintained' },
      extra: 'informational = "unmaintained"',
    }),
    'crates/acme-tide/RUSTSEC-2026-0012.md': rustsecFile({
      ...{ id: 'RUSTSEC-2026-0012', crate: 'acme-tide', patched: ['>=2.0.0'], extra: CVSS },
      title: 'Tides are predicted from memory that is freed',
    }),
  });
}

describe.skipIf(CHROMIUM === undefined)(`advisories in Chromium${NEEDS_CHROMIUM}`, () => {
  let site: MirrorSite;
  let browsed: BrowsedSite;
  let dir: TempDir;

  beforeAll(async () => {
    dir = makeTempDir('advisories');
    writeAdvisories(dir.path);
    const silent = (): void => undefined;
    const advisories = await AdvisoryDatabase.open(dir.path, {
      clock: { now: () => Date.UTC(2026, 2, 14) },
      log: { info: silent, warning: silent, error: silent },
    });
    const gates = {
      ...{ ...NO_GATES, blocked: ['evil-crate'], allowed: ['serde'], blocksAdvisories: true },
      ...{ allowedLicenses: ['MIT', 'Apache-2.0', 'BSD-3-Clause'], deniedLicenses: ['AGPL-3.0'] },
    };
    site = await makeMirrorSite({ gates, advisories });
    const mira = await site.addUser('mira');
    await site.addUser('root', { isAdmin: true });
    for (const version of ['1.0.0', '1.4.0', '2.0.0']) {
      const description = 'Tells when the tide turns in our harbour';
      await site.publish(mira, { name: 'acme-tide', version, description, license: 'MIT' });
    }
    const versions = ['0.9.0', '1.0.0', '1.1.0'].map((version) => ({ name: 'tidal-wave', version }));
    await site.cacheCrate(versions, { archives: ['0.9.0', '1.1.0'] });
    await site.cacheCrate([{ name: 'free-wave', version: '1.0.0', extra: 'license = "AGPL-3.0-only"' }], {
      archives: ['1.0.0'],
    });
    await expect(site.upstream.archive('free-wave', '1.0.0')).rejects.toThrow('AGPL');
    await expect(site.upstream.archive('tidal-wave', '1.0.0')).rejects.toThrow('RUSTSEC-2026-0011');
    browsed = await browse(site);
  });

  afterEach(async () => {
    expect(await browsed.closePages()).toEqual([]);
  });

  afterAll(async () => {
    await browsed[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    dir.remove();
  });

  async function signIn(page: Page): Promise<void> {
    await page.goto('/sign-in');
    await page.getByLabel('Login').fill('root');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'root' }).waitFor();
  }

  it('are a region of the page with a link to each', async () => {
    const page = await browsed.open('/crates/acme-tide/1.0.0');
    const region = page.getByRole('region', { name: 'Advisories' });
    await region.getByRole('heading', { name: 'This version has 1 known vulnerability' }).waitFor();
    expect(await region.getByRole('link', { name: 'RUSTSEC-2026-0012' }).getAttribute('href')).toBe(
      'https://rustsec.org/advisories/RUSTSEC-2026-0012.html',
    );
  });

  it.each([
    ['light', {}],
    ['dark', DARK],
    ['phone', PHONE],
    ['phone-dark', { ...PHONE, ...DARK }],
  ] as const)(
    'are readable, named and not wider than the window: %s',
    async (name, options) => {
      const page = await browsed.open('/', options);
      await signIn(page);
      const addresses = [
        ...['/crates/acme-tide/1.0.0', '/crates/acme-tide/versions', '/admin/advisories', '/admin/mirror'],
        ...[
          '/crates/tidal-wave/1.0.0',
          '/crates/tidal-wave/versions',
          '/crates/free-wave',
          '/crates/tidal-wave',
        ],
      ];
      for (const address of addresses) {
        await page.goto(address);
        expect([address, await page.evaluate(LOW_CONTRAST)]).toEqual([address, []]);
        expect([address, await page.evaluate(NAMELESS)]).toEqual([address, []]);
        const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        expect([address, isWide]).toEqual([address, false]);
        await keepPicture(page, `advisories-${name}${address.replace(/[^a-z0-9]+/g, '-')}`);
      }
    },
    60_000,
  );
});
