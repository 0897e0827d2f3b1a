/** One page of each kind that the site has. */
import type { User } from '../../src/server/store/values.ts';
import { addDemoCrates } from './demo-crates.ts';
import type { PagesSite } from './pages-site.ts';
import { addReef, packFiles, PNG } from './source-crates.ts';

/** Who sees the pages of a group: nobody, the owner of the crates, or an admin. */
export type PageReader = 'nobody' | 'mira' | 'root';

/** Addresses of pages by their reader. `fillSite` makes what they show. */
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
    ...['/admin/teams', '/admin/teams/infra'],
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

/** Fills a site with what the pages of `PAGE_KINDS` show. Returns the user `mira`, who owns all crates. */
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
