/** One page of each kind that the site has. */
import { AdvisoryDatabase } from '../../src/server/publish/advisories/advisory-database.ts';
import type { User } from '../../src/server/store/values.ts';
import { rustsecFile, writeFiles } from './advisory-files.ts';
import { addDemoCrates } from './demo-crates.ts';
import { rustdocFiles, uploadDocs } from './documentation.ts';
import { NO_GATES } from './mirror.ts';
import { makeMirrorSite, type MirrorSite } from './mirror-site.ts';
import type { PagesSite } from './pages-site.ts';
import { addReef, packFiles, PNG } from './source-crates.ts';
import { makeTempDir } from './temp-dir.ts';

/** Who sees the pages of a group: nobody, the owner of the crates, or an admin. */
export type PageReader = 'nobody' | 'mira' | 'root';

/** Addresses of pages by their reader. `makeSiteOfKinds` makes what they show. */
export const PAGE_KINDS: Readonly<Record<PageReader, readonly string[]>> = {
  nobody: [
    ...['/', '/?q=tidepool', '/?q=nothing-like-it', '/sign-in', '/nowhere', '/crates/tidepol'],
    ...[
      '/crates',
      '/keywords',
      '/keywords/scheduler',
      '/categories',
      '/categories/concurrency',
      '/users/mira',
      '/teams/infra',
    ],
    ...['/crates/tidepool', '/crates/tidepool/0.2.0', '/crates/tidepool/versions', '/crates/kelp'],
    ...['dependencies', 'features'].map((tab) => `/crates/tidepool-macros/${tab}`),
    '/crates/tidepool/dependents',
    ...['', '/src/lib.rs', '/docs/reef.png', '/src/data/table.bin', '/no-such-file'].map(
      (path) => `/crates/reef/1.1.0/source${path}`,
    ),
    ...['/1.0.0...1.1.0', '/1.0.0...1.1.0?view=split'].map((path) => `/crates/reef/compare${path}`),
    ...['', '/versions', '/dependencies', '/features', '/0.9.0'].map((path) => `/crates/tidal-wave${path}`),
    ...['/crates?from=upstream', '/?q=tid', '/?q=rust:abc', '/crates/tidepool/1.0.0'],
    '/docs/tidepool/9.9.9/tidepool/index.html',
  ],
  mira: [
    '/crates/tidepool/settings',
    '/me',
    '/teams/infra',
    '/users/ana',
    '/admin',
    '/crates/shell-part-1/settings',
  ],
  root: [
    ...['/admin', '/admin/users', '/admin/users/mira', '/admin/crates', '/admin/publishers', '/admin/audit'],
    ...['/admin/audit?from=nonsense', '/admin/crates/tidepool/delete', '/admin/crates/tidepool/1.0.0/delete'],
    '/admin/settings',
    ...['/admin/teams', '/admin/teams/infra', '/admin/mirror', '/admin/advisories'],
    '/me',
  ],
};

/** A readme with every construct that the pages style. */
const README = `# kelp

Logs[^store] that *many* **writers** ~~share~~. See <https://kelp.example>, [the guide](guide.md) and \`Store\`.

> [!NOTE]
> Readers never wait.

> [!WARNING]
> Not on a network file system.

> [!TIP]
> Use a reader.

> [!IMPORTANT]
> Call \`flush\`.

> [!CAUTION]
> \`remove\` deletes all.

## Roadmap

- [x] Append
- [ ] Compact

1. One
2. Two

| Name | Size |
|------|-----:|
| log  | 64   |
| \`a_segment_whose_name_is_so_long_that_the_table_is_wider_than_a_page_or_at_least_wider_than_the_screen_of_a_phone_in_any_case\` | 1 |

\`\`\`rust
// Opens a store.
let store = kelp::Store::open("logs", 64)?;
\`\`\`

![logo](docs/logo.png) [![build](https://ci.example/badge.svg)](https://ci.example/)

<details><summary>More</summary>

Nothing else.

</details>

[^store]: One directory.
`;

/** Creates a site with an upstream and advisories, and fills it with what the pages of `PAGE_KINDS` show. */
export async function makeSiteOfKinds(): Promise<MirrorSite> {
  const site = await makeMirrorSite({
    gates: { ...NO_GATES, blocked: ['tidal-wave@0.9.0'], allowed: ['log'], deniedLicenses: ['AGPL-3.0'] },
    quotaBytes: 1e9,
    advisories: await readAdvisories(),
  });
  const owner = await fillSite(site);
  const actor = { user: owner, token: null };
  await uploadDocs(site.store, { crate: 'tidepool', version: '1.1.0', actor }, rustdocFiles('tidepool'));
  const wave = {
    ...{ name: 'tidal-wave', deps: ['log ^0.4'], features: { default: ['std'], std: [] } },
    extra: 'description = "Waves of all sizes"\nlicense = "MIT"\nreadme = "README.md"',
    files: { 'src/lib.rs': '', 'README.md': README.replace('kelp', 'tidal-wave') },
  };
  const versions = ['0.9.0', '1.0.0', '1.1.0'].map((version) => ({ ...wave, version }));
  await site.cacheCrate(versions, { archives: ['1.0.0', '1.1.0'] });
  const { records } = site.store;
  const by = { login: 'root', atMs: site.nowMs };
  // `log` is allowed, so its block has no effect.
  for (const name of ['log', 'a-crate-whose-name-is-as-long-as-a-name-of-a-crate-can-be-at-most'])
    await records.addUpstreamRule({ kind: 'block', name, version: '0.3.0', reason: 'breaks our builds' }, by);
  await records.addUpstreamRule({ kind: 'allow', name: 'serde', version: null, reason: null }, by);
  await records.addReservedName({ pattern: 'acme-*', reason: 'our prefix', atMs: site.nowMs });
  return site;
}

/** Returns advisories about a published and a cached crate. */
async function readAdvisories(): Promise<AdvisoryDatabase> {
  const folder = makeTempDir('page-kinds');
  writeFiles(folder.path, {
    'crates/tidepool/RUSTSEC-2026-0001.md': rustsecFile({
      ...{ id: 'RUSTSEC-2026-0001', crate: 'tidepool', patched: ['>=1.1.0'] },
      extra: 'cvss = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"',
    }),
    'crates/tidal-wave/RUSTSEC-2026-0002.md': rustsecFile({ id: 'RUSTSEC-2026-0002', crate: 'tidal-wave' }),
  });
  const silent = (): void => undefined;
  const log = { info: silent, warning: silent, error: silent };
  try {
    return await AdvisoryDatabase.open(folder.path, { clock: { now: () => Date.UTC(2026, 2, 14) }, log });
  } finally {
    folder.remove();
  }
}

/** Fills a site with crates, teams and publishers. Returns the user `mira`, who owns all crates. */
export async function fillSite(site: PagesSite): Promise<User> {
  const owner = await addDemoCrates(site);
  await site.addUser('root', { isAdmin: true });
  await addReef(site, owner);
  await site.publish(
    owner,
    { name: 'kelp', version: '1.0.0', readme: README, description: 'Logs' },
    packFiles('kelp-1.0.0', { 'docs/logo.png': PNG }),
  );
  const actor = { user: owner, token: null };
  const { records } = site.store;
  await records.createTeam({ name: 'infra', atMs: site.nowMs, actor });
  await records.changeMembers({ team: 'infra', action: 'add', logins: ['ana', 'mira'], atMs: 1, actor });
  const logins = ['ana', 'team:infra'];
  await records.changeOwners({ crate: 'tidepool', action: 'add', logins, atMs: 1, actor });
  const issuer = 'https://token.actions.githubusercontent.com';
  const claims = [{ name: 'repository_id', value: '123456' }];
  const publisher = { issuer, claims, userId: owner.id, atMs: site.nowMs, actor };
  await records.createPublisher({ ...publisher, cratePatterns: ['tidepool'] });
  const mira = site.browser();
  await mira.signIn('mira');
  const { status } = await mira.submit('/me', '/me/tokens', { name: 'laptop', days: '30', scope: 'read' });
  if (status !== 200) throw new Error(`no token was made: ${status}`);
  return owner;
}
