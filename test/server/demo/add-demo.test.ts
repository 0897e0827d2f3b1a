import { afterAll, beforeAll, expect, it } from 'vitest';
import { matchesReq } from '../../../src/core/version/matches-req.ts';
import { parseVersionReq } from '../../../src/core/version/requirement.ts';
import { parseVersion } from '../../../src/core/version/version.ts';
import { verifyStore } from '../../../src/server/admin/verify-store.ts';
import { verifyPassword } from '../../../src/server/auth/passwords.ts';
import { addDemo } from '../../../src/server/demo/add-demo.ts';
import { DEMO_ADMIN, DEMO_COLLEAGUE, DEMO_TEAM } from '../../../src/server/demo/demo-users.ts';
import { SAMPLE_CRATES } from '../../../src/server/demo/sample-crates.ts';
import { makePagesSite, type PagesSite, PASSWORD } from '../../helpers/pages-site.ts';

const RELEASES = SAMPLE_CRATES.flatMap((crate) => crate.releases.map((release) => ({ crate, release })));
let site: PagesSite;

const fill = (to: PagesSite): Promise<void> =>
  addDemo({ ...to.context, records: to.store.records }, PASSWORD);

beforeAll(async () => {
  // The rules of crates.io are the strictest.
  site = await makePagesSite({ strict: true });
  await fill(site);
});
afterAll(() => site[Symbol.asyncDispose]());

it('publishes every sample crate with the checks of a strict registry, completely', async () => {
  const { records } = site.store;
  expect(await records.count()).toMatchObject({ crates: 8, versions: RELEASES.length, users: 2 });
  const options = { nowMs: site.nowMs, removeUnreferenced: false, forgetDamaged: false, checksCounts: true };
  expect(await verifyStore(site.store, options)).toMatchObject({
    versions: RELEASES.length,
    problems: [],
    unreferenced: [],
  });
});

it('has only dependencies that a version published earlier satisfies', () => {
  for (const { crate, release } of RELEASES) {
    for (const { name, versionReq } of crate.dependencies) {
      const earlier = RELEASES.filter(
        (other) => other.crate.name === name && other.release.daysAgo > release.daysAgo,
      );
      const req = parseVersionReq(versionReq);
      const matching = earlier.filter((other) => matchesReq(req, parseVersion(other.release.version)));
      expect(matching, `${crate.name} ${release.version} needs ${name} ${versionReq}`).not.toEqual([]);
    }
  }
});

it('gives each version a date in the past, a readme and downloads', async () => {
  for (const { crate, release } of RELEASES) {
    const { records } = site.store;
    const version = await records.findVersion(crate.name, release.version);
    expect(version).toMatchObject({
      publishedAtMs: site.nowMs - release.daysAgo * 86_400_000,
      downloads: release.downloads,
      isYanked: release.yanked !== undefined,
      yankReason: release.yanked?.reason ?? null,
      publishedBy: crate.owner,
    });
    expect(await records.findReadme(crate.name, release.version)).toContain(`# ${crate.name}\n`);
  }
  expect(RELEASES.filter(({ release }) => release.yanked !== undefined)).toHaveLength(1);
});

it('creates an admin with the password, a user without one, and crates of both', async () => {
  const { records } = site.store;
  const admin = await records.findUser(DEMO_ADMIN.login);
  const colleague = await records.findUser(DEMO_COLLEAGUE.login);
  expect(admin).toMatchObject({ isAdmin: true, hasPassword: true });
  expect(colleague).toMatchObject({ isAdmin: false, hasPassword: false });
  expect(await verifyPassword(PASSWORD, await records.findPasswordHash(admin?.id ?? 0))).toBe(true);
  const owners = await records.listOwners('teapot');
  expect(owners?.map(({ login }) => login)).toEqual([DEMO_ADMIN.login, DEMO_COLLEAGUE.login]);
  expect(await records.listOwnedCrates(colleague?.id ?? 0)).not.toEqual([]);
});

it('creates a team of both users, which owns crates', async () => {
  const team = await site.store.records.findTeam(DEMO_TEAM);
  expect(team?.members.map(({ login }) => login)).toEqual([DEMO_ADMIN.login, DEMO_COLLEAGUE.login]);
  expect(team?.crateCount).toBe(2);
});

it('writes neither the password nor its hash into the log', () => {
  expect(site.logged).toEqual([{ event: 'demo-added', values: { crates: 8, login: DEMO_ADMIN.login } }]);
});

const used: readonly (readonly [string, (to: PagesSite) => Promise<unknown>])[] = [
  ['a user', (to) => to.addUser('ana')],
  ['an audit entry', ({ store }) => store.records.addAudit({ atMs: 0, actor: null, action: 'delete-crate' })],
  [
    'a cached file of an upstream',
    ({ store }) =>
      store.records.saveMirroredArchive({
        ...{ checksum: 'ab', size: 1, blobKey: 'x', mirroredAtMs: 0, usedAtMs: 0 },
      }),
  ],
];
it.each(used)('refuses a registry with %s, and changes nothing', async (_what, use) => {
  await using other = await makePagesSite();
  await use(other);
  const before = await other.store.records.count();
  await expect(fill(other)).rejects.toThrow('`--demo` needs a new and empty registry');
  expect(await other.store.records.count()).toEqual(before);
});

it('names the sample crate that the options of the server refuse', async () => {
  await using other = await makePagesSite();
  const { limits } = other.context.settings;
  const settings = { ...other.context.settings, limits: { ...limits, maxCrateBytes: 0 } };
  const registry = { ...other.context, records: other.store.records, settings };
  await expect(addDemo(registry, PASSWORD)).rejects.toThrow(
    'the registry refuses the sample crate `celsius 1.0.0`',
  );
});
