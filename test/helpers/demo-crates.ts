import type { PublishedDependency } from '../../src/core/protocol/publish-metadata.ts';
import type { User } from '../../src/server/store/values.ts';
import type { PagesSite } from './pages-site.ts';

const README = `# tidepool

[![build](https://ci.example/badge.svg)](https://ci.example/) ![coverage](https://ci.example/coverage.svg)

A small **work-stealing** scheduler. See [the guide](docs/guide.md), [usage](#usage) or <https://tidepool.example>.

## Usage

\`\`\`rust
let pool = tidepool::Pool::builder().threads(8).name("a-rather-long-name-so-that-this-line-does-not-fit-on-a-phone").build()?;
pool.join(|| left(), || right());
\`\`\`

| Feature | What it does | Default |
|---------|--------------|---------|
| \`metrics\` | Counts jobs, steals and parks of each worker, to be read at any time | no |
| \`pinning\` | Pins workers to cores | no |

> Jobs must not block for long.

1. Make a pool.
2. Give it work.

<details><summary>More</summary>

Nothing else.

</details>
`;

/** Returns a dependency on version 1 of a crate in the same registry, unless `more` changes that. */
export function dependency(name: string, more: Partial<PublishedDependency> = {}): PublishedDependency {
  return {
    name,
    versionReq: '^1.0',
    features: [],
    optional: false,
    defaultFeatures: true,
    target: null,
    kind: 'normal',
    registry: null,
    explicitNameInToml: null,
    ...more,
  };
}

/** The longest possible crate name, without a place to break it. */
export const LONG_NAME = `w${'o'.repeat(61)}w1`;

/** Fills a site with crates of several shapes, and returns their owner. */
export async function addDemoCrates(site: PagesSite): Promise<User> {
  const owner = await site.addUser('mira', { name: 'Mira Okafor' });
  await site.addUser('ana');
  const about = {
    description:
      'A small work-stealing scheduler for jobs that fork and join, with no dependencies of its own',
    keywords: ['scheduler', 'parallel', 'fork-join'],
    categories: ['concurrency'],
    license: 'MIT OR Apache-2.0',
    repository: 'https://github.com/tidepool-rs/tidepool',
    homepage: 'https://tidepool.example',
    rustVersion: '1.74',
    readme: README,
    readmeFile: 'README.md',
  };
  for (const version of ['0.1.0', '0.2.0', '0.3.0-rc.1', '1.0.0', '1.1.0']) {
    await site.publish(owner, { ...about, name: 'tidepool', version });
    site.nowMs += 3 * 24 * 60 * 60 * 1000;
  }
  const actor = { user: owner, token: null };
  const yank = { crate: 'tidepool', version: '0.2.0', isYanked: true, atMs: site.nowMs, actor };
  await site.store.records.setYanked({ ...yank, reason: 'loses jobs where a worker panics; use 1.0' });
  await site.publish(owner, {
    name: 'tidepool-macros',
    version: '1.1.0',
    description: 'Attributes for tidepool',
    dependencies: [
      dependency('tidepool', { versionReq: '>=1.0.0, <2.0.0', features: ['metrics', 'pinning'] }),
      dependency('syn', {
        registry: 'https://index.example/crates-index',
        defaultFeatures: false,
        optional: true,
      }),
      dependency('libc', { target: 'cfg(all(unix, not(target_os = "macos")))', explicitNameInToml: 'sys' }),
      dependency('cc', { kind: 'build' }),
      dependency('trybuild', { kind: 'dev' }),
    ],
    features: new Map([
      ['full', ['metrics', 'dep:syn', 'tidepool/pinning']],
      ['default', ['metrics']],
      ['metrics', []],
    ]),
  });
  await site.publish(owner, {
    name: LONG_NAME,
    version: '0.0.1-alpha.20260314.with.many.identifiers+and.build.metadata.0123456789abcdef',
    description: `One word of a description: ${'x'.repeat(300)}`,
    keywords: ['a'.repeat(60)],
    dependencies: [dependency(LONG_NAME.replace('1', '2'), { versionReq: `=${'1'.repeat(18)}.0.0` })],
  });
  for (let i = 1; i <= 45; i += 1) {
    await site.publish(owner, {
      name: `shell-part-${i}`,
      version: `0.${i}.0`,
      description: `Part ${i} of a shell that nobody needs`,
      dependencies: i % 3 === 0 ? [dependency('tidepool', { kind: 'dev', optional: false })] : [],
    });
    site.nowMs += 60_000;
  }
  await addDemoDownloads(site);
  return owner;
}

/** Adds downloads on the last days, and more than 90 days ago. */
async function addDemoDownloads(site: PagesSite): Promise<void> {
  const { records } = site.store;
  for (let daysAgo = 12; daysAgo > 0; daysAgo -= 1) {
    const atMs = site.nowMs - daysAgo * 24 * 60 * 60 * 1000;
    await records.addDownloads(
      [
        { crate: 'tidepool', version: '1.1.0', count: 1000 * (13 - daysAgo) },
        { crate: 'tidepool', version: '1.0.0', count: 600 * daysAgo },
      ],
      atMs,
    );
  }
  await records.addDownloads(
    [
      { crate: 'tidepool', version: '1.1.0', count: 1_234_567 - 78_000 },
      { crate: 'tidepool', version: '1.0.0', count: 98_765 - 46_800 },
    ],
    0,
  );
  const version = '0.0.1-alpha.20260314.with.many.identifiers+and.build.metadata.0123456789abcdef';
  await records.addDownloads([{ crate: LONG_NAME, version, count: 1 }], site.nowMs);
}
