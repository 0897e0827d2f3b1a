import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdvisoryDatabase } from '../../../../src/server/publish/advisories/advisory-database.ts';
import type { Advisories } from '../../../../src/server/store/advisories.ts';
import { rustsecFile, writeFiles } from '../../../helpers/advisory-files.ts';
import { NO_GATES } from '../../../helpers/mirror.ts';
import { makeMirrorSite, type MirrorSite } from '../../../helpers/mirror-site.ts';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';
import { makeTempDir, type TempDir } from '../../../helpers/temp-dir.ts';

let dir: TempDir;
let advisories: Advisories;
const opened: AsyncDisposable[] = [];

beforeEach(async () => {
  dir = makeTempDir('advisories');
  const loud = { crate: 'loud', patched: ['>=1.1.0'] };
  const cvss = 'cvss = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"';
  writeFiles(dir.path, {
    'RUSTSEC-2021-0001.md': rustsecFile({
      ...{ ...loud, id: 'RUSTSEC-2021-0001', title: 'Loud <b>explodes</b>', extra: cvss },
    }),
    'RUSTSEC-2022-0002.md': rustsecFile({
      ...{ id: 'RUSTSEC-2022-0002', crate: 'loud', title: 'Nobody maintains `loud`' },
      extra: 'informational = "unmaintained"',
    }),
    'ACME-2026-0003.md': rustsecFile({
      ...{ id: 'ACME-2026-0003', crate: 'quiet', extra: 'url = "javascript:alert(1)"' },
    }),
  });
  const silent = (): void => undefined;
  advisories = await AdvisoryDatabase.open(dir.path, {
    clock: { now: () => Date.UTC(2026, 2, 14) },
    log: { info: silent, warning: silent, error: silent },
  });
});
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each[Symbol.asyncDispose]();
  dir.remove();
});

async function ownSite(): Promise<PagesSite> {
  const site = await makePagesSite({}, { advisories });
  opened.push(site);
  const mira = await site.addUser('mira');
  for (const version of ['1.0.0', '1.1.0']) await site.publish(mira, { name: 'loud', version });
  await site.publish(mira, { name: 'calm', version: '1.0.0' });
  return site;
}

async function mirrorSite(settings: Parameters<typeof makeMirrorSite>[0] = {}): Promise<MirrorSite> {
  const site = await makeMirrorSite({ advisories, ...settings });
  opened.push(site);
  const versions = ['1.0.0', '1.0.1', '1.1.0'].map((version) => ({ name: 'loud', version }));
  await site.cacheCrate(versions, { archives: ['1.0.1', '1.1.0'] });
  await site.cacheCrate([{ name: 'calm', version: '1.0.0' }]);
  return site;
}

/** Returns the main part of a page as text. */
function textOf(page: string): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(page)?.[1] ?? '';
  return main.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

async function shown(site: PagesSite, address: string): Promise<string> {
  return textOf((await site.browser().get(address)).text);
}

async function shownToAdmin(site: PagesSite, address: string): Promise<string> {
  await site.addUser('root', { isAdmin: true });
  const admin = site.browser();
  await admin.signIn('root');
  return textOf((await admin.get(address)).text);
}

const VULNERABLE =
  'This version has 1 known vulnerability Loud &lt;b&gt;explodes&lt;/b&gt; RUSTSEC-2021-0001 · critical severity · solved in &gt;=1.1.0 Nobody maintains loud RUSTSEC-2022-0002 · unmaintained';
const UNMAINTAINED = 'This version has 1 advisory Nobody maintains loud';

describe('the pages of a crate that is published here', () => {
  it('show the advisories about the version, with a link to each', async () => {
    const site = await ownSite();
    const { text } = await site.browser().get('/crates/loud/1.0.0');
    expect(textOf(text)).toContain(VULNERABLE);
    expect(text).toContain(
      '<a href="https://rustsec.org/advisories/RUSTSEC-2021-0001.html" rel="nofollow noopener noreferrer">RUSTSEC-2021-0001</a>',
    );
    expect(await shown(site, '/crates/loud')).toContain(UNMAINTAINED);
    expect(await shown(site, '/crates/loud')).not.toContain('RUSTSEC-2021-0001');
    expect(await shown(site, '/crates/calm')).not.toContain('RUSTSEC');
  });

  it('mark affected versions in the list', async () => {
    const list = await shown(await ownSite(), '/crates/loud/versions');
    expect(list).toMatch(/1\.1\.0 unmaintained just now .*1\.0\.0 vulnerable unmaintained just now/);
  });

  it('link only to web addresses', async () => {
    const site = await ownSite();
    await site.publish(await site.addUser('noa'), { name: 'quiet', version: '1.0.0' });
    const { text } = await site.browser().get('/crates/quiet');
    expect(text).toContain('ACME-2026-0003 · vulnerability · no version solves it');
    expect(text).not.toContain('javascript:');
  });
});

describe('the pages of a cached crate', () => {
  it('show the advisories about the version, and mark affected versions', async () => {
    const site = await mirrorSite();
    expect(await shown(site, '/crates/loud/1.0.0')).toContain(VULNERABLE);
    expect(await shown(site, '/crates/loud')).toContain(UNMAINTAINED);
    expect(await shown(site, '/crates/loud/versions')).toMatch(
      /1\.1\.0 unmaintained .*1\.0\.0 vulnerable unmaintained not yet/,
    );
  });

  it('say that a vulnerable version is not served if it is blocked', async () => {
    const site = await mirrorSite({ gates: { ...NO_GATES, blocksAdvisories: true } });
    const page = await shown(site, '/crates/loud/1.0.0');
    expect(page).toContain('This registry does not serve versions with known vulnerabilities.');
    expect(page).not.toContain('Add to your project');
    expect(await shown(site, '/crates/loud/versions')).toContain('1.0.0 vulnerable unmaintained not served');
    expect(await shown(site, '/crates/loud')).toContain('Add to your project');
  });

  it('say which rule refuses a license', async () => {
    const site = await mirrorSite({ gates: { ...NO_GATES, allowedLicenses: ['MIT'] } });
    await site.cacheCrate([{ name: 'free', version: '1.0.0', extra: 'license = "GPL-3.0"' }], {
      archives: ['1.0.0'],
    });
    await expect(site.upstream.archive('free', '1.0.0')).rejects.toThrow('its license is `GPL-3.0`');
    expect(await shown(site, '/crates/free')).toContain(
      'Clients cannot download this version from here: its license is GPL-3.0 , and the rule --allow-license refuses it.',
    );
    expect(await shown(site, '/crates/free/versions')).toContain('1.0.0 license refused');
  });
});

describe('the admin pages', () => {
  it('list the affected crates of the registry, and the state of the database', async () => {
    const page = await shownToAdmin(await ownSite(), '/admin/advisories');
    expect(page).toContain('Advisories 3 about 2 crates Read 9 hours ago Unreadable files none');
    expect(page).toContain('loud RUSTSEC-2021-0001 , RUSTSEC-2022-0002 2 of 2');
    expect(page).not.toContain('calm');
    expect(page).not.toContain('See the cached crates');
  });

  it('say that the folder cannot be read again', async () => {
    const state = { ...advisories.state, failure: 'no such file <x>' };
    const site = await makePagesSite({}, { advisories: { crates: [], of: () => [], state } });
    opened.push(site);
    expect(await shownToAdmin(site, '/admin/advisories')).toContain(
      'Problem The folder cannot be read again: no such file &lt;x&gt;. The server uses the advisories that it has.',
    );
  });

  it('list the cached crates with affected versions, and how many of their files are cached', async () => {
    const page = await shownToAdmin(await mirrorSite(), '/admin/mirror');
    expect(page).toContain('Cached crates with advisories 3 advisories are known.');
    expect(page).toContain('loud RUSTSEC-2021-0001 , RUSTSEC-2022-0002 3 of 3 2');
    expect(page).not.toContain('calm');
  });

  it('say that no crate is affected', async () => {
    const site = await makeMirrorSite({ advisories });
    opened.push(site);
    expect(await shownToAdmin(site, '/admin/advisories')).toMatch(
      /vulnerable versions of the upstream are served: see --block-advisories .*No advisory is about a version that is published here\./,
    );
    const admin = site.browser();
    await admin.signIn('root');
    expect(textOf((await admin.get('/admin/mirror')).text)).toContain('No advisory is about a cached crate.');
  });

  it('explain how to get advisories if there are none', async () => {
    const site = await makePagesSite();
    opened.push(site);
    expect(await shownToAdmin(site, '/admin/advisories')).toContain('tsreg serve --advisories advisory-db');
  });

  it('are only for admins', async () => {
    const site = await ownSite();
    const browser = site.browser();
    await browser.signIn('mira');
    expect((await browser.get('/admin/advisories')).status).toBe(403);
  });
});
