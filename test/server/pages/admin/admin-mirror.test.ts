import { afterEach, expect, it } from 'vitest';
import { NO_GATES } from '../../../helpers/mirror.ts';
import { makeMirrorSite, type MirrorSite } from '../../../helpers/mirror-site.ts';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';
import { type RegistryServer, startRegistryServer } from '../../../helpers/registry-server.ts';
import { buildCrate } from '../../../helpers/crate.ts';

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

async function open(settings: Parameters<typeof makeMirrorSite>[0] = {}): Promise<MirrorSite> {
  const site = await makeMirrorSite(settings);
  opened.push(site);
  return site;
}

/** The page of an admin, without tags, on one line. */
async function pageOf(site: PagesSite): Promise<string> {
  if ((await site.store.records.findUser('root')) === null) await site.addUser('root', { isAdmin: true });
  const admin = site.browser();
  await admin.signIn('root');
  const { status, text } = await admin.get('/admin/mirror');
  expect(status).toBe(200);
  const main = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '';
  return main.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

async function upstreamServer(): Promise<RegistryServer> {
  const server = await startRegistryServer();
  opened.push(server);
  const crate = buildCrate({ name: 'leaf-lib', version: '1.0.0' }, () => '');
  server.mount('up', { crates: [crate], config: { dl: `${server.url}/up/dl` } });
  return server;
}

it('shows the address, the size of the cache and the quota', async () => {
  const site = await open({ quotaBytes: 3 * 1024 ** 3 });
  await site.cacheCrate([{ name: 'loud', version: '1.0.0' }], { archives: ['1.0.0'] });
  const shown = await pageOf(site);
  expect(shown).toMatch(/Cache \d+(?:\.\d)? (?:B|KiB) of 3\.0 GiB Index files 1 cached Crate files 1 cached/);
  expect(shown).toContain('Address sparse+https://index.crates.io/ State reachable');
  expect(shown).toContain('Refresh after 300 seconds');
  expect(shown).toContain('Last response none since this server started');
});

it('counts what was in the cache, requests and failures since the start', async () => {
  const server = await upstreamServer();
  const site = await open({ url: `sparse+${server.url}/up/` });
  for (let times = 0; times < 3; times += 1) await site.upstream.indexFile('leaf-lib');
  for (let times = 0; times < 2; times += 1) await site.upstream.archive('leaf-lib', '1.0.0');
  const shown = await pageOf(site);
  // Each download also looks up the index file.
  expect(shown).toContain('Index files 4 1 Crate files 1 1');
  expect(shown).toContain('From the cache 71% since this server started');
  expect(shown).toContain('Requests 3 Last response just now');
  server.mount('up', { crates: [], faults: [{ kind: 'status', status: 401, path: 'other' }], config: {} });
  await expect(site.upstream.indexFile('other')).rejects.toThrow('it answered with 401');
  expect(await pageOf(site)).toMatch(
    /Failed requests 1 .*Last failure 2026-03-14 09:26 UTC : cannot get `ot\/he\/other` of its index .*it answered with 401/,
  );
});

it('shows the state of an upstream that is not asked or does not respond', async () => {
  expect(await pageOf(await open({ isOffline: true }))).toContain('offline: the upstream is never asked');
  const away = await open({ url: 'sparse+http://127.0.0.1:9/' });
  await expect(away.upstream.indexFile('abc')).rejects.toThrow();
  expect(await pageOf(away)).toContain('away: cached files are served');
});

it('shows the rules, refused downloads and reserved names', async () => {
  const gates = {
    ...NO_GATES,
    minAgeMs: 72 * 60 * 60 * 1000,
    blocked: ['openssl@0.1.0', 'evil'],
    allowed: ['serde'],
  };
  const site = await open({ gates });
  expect(await pageOf(site)).toContain('No name is reserved.');
  await expect(site.upstream.archive('evil', '1.0.0')).rejects.toThrow('this registry blocks');
  await site.store.records.addReservedName({ pattern: 'acme-*', reason: 'ours <b>', atMs: site.nowMs });
  const shown = await pageOf(site);
  expect(shown).toContain('Minimum age 3 days 0 Blocked 2 rules 1 Licenses none 0');
  expect(shown).toContain('Vulnerabilities none 0 Allowed 1 rule');
  expect(shown).toContain(
    'openssl@0.1.0 given at the start: --block evil given at the start: --block Block a crate',
  );
  expect(shown).toContain('serde given at the start: --allow Allow a crate');
  expect(shown).toContain('acme_* ours &lt;b&gt; just now');
});

it('shows the rules for licenses and advisories', async () => {
  const gates = {
    ...NO_GATES,
    allowedLicenses: ['MIT', 'ISC'],
    deniedLicenses: ['0BSD'],
    blocksAdvisories: true,
  };
  const shown = await pageOf(await open({ gates }));
  expect(shown).toContain(
    'Licenses only MIT , ISC ; not 0BSD 0 Vulnerabilities vulnerable versions are refused 0',
  );
});

it('explains how to get an upstream if there is none', async () => {
  const site = await makePagesSite();
  opened.push(site);
  expect(await pageOf(site)).toContain('No upstream With tsreg serve --upstream crates-io');
});

it('is only for admins', async () => {
  const site = await open();
  await site.addUser('mira');
  const browser = site.browser();
  await browser.signIn('mira');
  expect((await browser.get('/admin/mirror')).status).toBe(403);
});
