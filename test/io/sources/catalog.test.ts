import { existsSync, readFileSync, rmSync } from 'node:fs';
import path, { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { registryDirName } from '../../../src/core/package-id/folder-names.ts';
import type { SourceId } from '../../../src/core/package-id/source-id.ts';
import { ABSENT, UNKNOWN } from '../../../src/core/resolve/problem.ts';
import { createCatalog, type PackageCatalog } from '../../../src/io/sources/catalog.ts';
import type { SourceContext } from '../../../src/io/sources/source-context.ts';
import { parseVersion } from '../../../src/core/version/version.ts';
import { buildCrate, type BuiltCrate, indexFiles } from '../../helpers/crate.ts';
import { commitToRepo } from '../../helpers/git-repo.ts';
import { writeDirectorySource, writeLocalRegistry } from '../../helpers/registry-folder.ts';
import { makeSourceContext, messagesOf, rejectionOf } from '../../helpers/source-context.ts';
import { packagesHome } from '../../helpers/system.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { writeTree } from '../../helpers/tree.ts';

let root: string;
beforeEach(() => {
  const temp = makeTempDir('catalog');
  root = temp.path;
  return () => temp.remove();
});

/** Returns a path of the configuration as messages print it. */
const inConfig = (relative: string): string => [join(root, 'ws'), ...relative.split('/')].join(path.sep);
const urlOf = (name: string): string => pathToFileURL(join(root, name)).href;
const crate = (name: string, version: string, deps: readonly string[] = []): BuiltCrate =>
  buildCrate({ name, version, deps }, (registry) => urlOf(registry));
const manifest = (name: string, version: string, more = ''): string =>
  `[package]\nname = "${name}"\nversion = "${version}"\nedition = "2021"\n${more}`;

interface Run {
  readonly catalog: PackageCatalog;
  readonly context: SourceContext;
  readonly lines: string[];
  /** Loads the versions of a name, and returns them sorted as text. */
  readonly versions: (source: SourceId, name: string) => Promise<string[]>;
}

/** Starts a new run in the workspace `ws` with the given configuration. */
function run(config: string, options: { offlineFlag?: string } = {}): Run {
  writeTree(join(root, 'ws'), { '.cargo/config.toml': config });
  const { context, lines } = makeSourceContext({
    cwd: join(root, 'ws'),
    home: join(root, 'home'),
    ...options,
  });
  const catalog = createCatalog(context);
  return {
    catalog,
    context,
    lines,
    versions: async (source, name) => {
      if (catalog.table.all(source, name) === UNKNOWN) await catalog.loader.load([{ source, name }]);
      const all = catalog.table.all(source, name);
      if (all === UNKNOWN) throw new Error('still unknown');
      return all.map(({ id }) => id.version.text).sort();
    },
  };
}

const replacedBy = (definition: string): string =>
  `[source.crates-io]\nreplace-with = "m"\n[source.m]\n${definition}\n`;

describe('a directory source', () => {
  beforeEach(() => writeDirectorySource(join(root, 'vendor'), [crate('aa', '1.0.0'), crate('aa', '1.2.0')]));

  test('has all versions, with the checksums of their archives and the original source', async () => {
    const { catalog, context, versions } = run(replacedBy('directory = "../vendor"'));
    const source = context.sources.cratesIo();
    expect(await versions(source, 'aa')).toEqual(['1.0.0', '1.2.0']);
    const found = catalog.table.exact(source, 'aa', parseVersion('1.2.0'));
    if (typeof found === 'symbol') throw new Error('not found');
    expect(found.id.source).toBe(source);
    expect(found.checksum).toBe(crate('aa', '1.2.0').checksum);
    const [fetched] = await catalog.fetchPackages([found]);
    expect(fetched?.root).toBe(`${inConfig('../vendor')}${path.sep}aa-1.2.0`);
    expect(catalog.sourceOf(source).description).toBe(
      `directory source \`${inConfig('../vendor')}\` (which is replacing registry \`crates-io\`)`,
    );
  });

  test.each([
    ['', 'EOF while parsing a value at line 1 column 0'],
    ['{}', 'missing field `files` at line 1 column 2'],
    ['{"files":{"a":1}}', 'invalid type: integer `1`, expected a string at line 1 column 15'],
  ])('with the checksum file %j cannot be read', async (text, cause) => {
    writeTree(join(root, 'vendor'), { 'aa-1.0.0/.cargo-checksum.json': text });
    const { catalog, context } = run(replacedBy('directory = "../vendor"'));
    const want = { source: context.sources.cratesIo(), name: 'aa', requiredBy: 'package `p v0.1.0 (/p)`' };
    expect(catalog.table.all(want.source, 'aa')).toBe(UNKNOWN);
    expect(await rejectionOf(catalog.loader.load([want]))).toEqual([
      'failed to get `aa` as a dependency of package `p v0.1.0 (/p)`',
      'failed to load source for dependency `aa`',
      'unable to update registry `crates-io`',
      'failed to query replaced source registry `crates-io`',
      'failed to decode `.cargo-checksum.json` of aa v1.0.0',
      cause,
    ]);
  });
});

describe('a local registry', () => {
  test('unpacks the requested packages once', async () => {
    writeLocalRegistry(join(root, 'reg'), [crate('aa', '1.0.0', ['bb ^1']), crate('bb', '1.0.0')]);
    const config = replacedBy('local-registry = "../reg"');
    const first = run(config);
    const source = first.context.sources.cratesIo();
    const summaries = ['bb', 'aa'].map((name) => {
      const found = first.catalog.table.exact(source, name, parseVersion('1.0.0'));
      if (typeof found === 'symbol') throw new Error('not found');
      return found;
    });
    const fetched = await first.catalog.fetchPackages(summaries);
    expect(fetched.map(({ id }) => id.name)).toEqual(['bb', 'aa']);
    expect(first.lines).toEqual([
      `Unpacking aa v1.0.0 (registry \`${inConfig('../reg')}\`)`,
      `Unpacking bb v1.0.0 (registry \`${inConfig('../reg')}\`)`,
    ]);
    expect(fetched.map((each) => first.catalog.manifestOf(each).summary.id.key)).toEqual(
      summaries.map(({ id }) => id.key),
    );
    const second = run(config);
    await second.catalog.fetchPackages(summaries);
    expect(second.lines).toEqual([]);
  });

  test('refuses an archive with a wrong checksum and unpacks nothing', async () => {
    writeLocalRegistry(join(root, 'reg'), [crate('aa', '1.0.0')]);
    writeTree(join(root, 'reg'), { 'aa-1.0.0.crate': 'another' });
    const { catalog, context } = run(replacedBy('local-registry = "../reg"'));
    const found = catalog.table.exact(context.sources.cratesIo(), 'aa', parseVersion('1.0.0'));
    if (typeof found === 'symbol') throw new Error('not found');
    expect(await rejectionOf(catalog.fetchPackages([found]))).toEqual([
      'failed to download `aa v1.0.0`',
      'unable to get packages from source',
      'failed to download replaced source registry `crates-io`',
      `failed to verify the checksum of \`aa v1.0.0 (registry \`${inConfig('../reg')}\`)\``,
    ]);
    expect(existsSync(join(packagesHome(join(root, 'home')), 'registry/src'))).toBe(false);
  });

  test('finds similar names that differ by `-`, `_` or case', async () => {
    writeLocalRegistry(join(root, 'reg'), [crate('a-b', '1.0.0')]);
    const { catalog, context } = run(replacedBy('local-registry = "../reg"'));
    const source = catalog.sourceOf(context.sources.cratesIo());
    expect(await source.similarNames('a_b')).toEqual(['a-b']);
    expect(await source.similarNames('A-b')).toEqual(['a-b']);
    expect(source.all('A-b')).toEqual([]);
  });
});

describe('a git dependency', () => {
  beforeEach(() =>
    commitToRepo(join(root, 'repo'), [
      {
        files: {
          'a/Cargo.toml': manifest('a', '0.1.0', '[dependencies]\nhidden = { path = "../.hidden" }\n'),
          'a/src/lib.rs': '',
          '.hidden/Cargo.toml': manifest('hidden', '0.2.0'),
          '.hidden/src/lib.rs': '',
          'a/target/x/Cargo.toml': manifest('in-target', '0.1.0'),
          'broken/Cargo.toml': '[package',
        },
        tag: 'v1',
      },
      { files: { 'a/Cargo.toml': manifest('a', '0.2.0') } },
    ]),
  );

  test('is fetched once, then read from its checkout without the network', async () => {
    const first = run('');
    const source = first.context.sources.forGit(urlOf('repo'), { kind: 'tag', name: 'v1' });
    expect(first.catalog.table.all(source, 'a')).toBe(UNKNOWN);
    expect(await first.versions(source, 'a')).toEqual(['0.1.0']);
    expect(await first.versions(source, 'hidden')).toEqual(['0.2.0']);
    expect(await first.versions(source, 'in-target')).toEqual([]);
    expect(first.lines[0]).toBe(`Updating git repository \`${urlOf('repo')}\``);
    expect(first.lines[1]).toMatch(/^snippet: .*[\\/]broken[\\/]Cargo\.toml: /);
    expect(first.lines).toHaveLength(2);
    const [summary] = [first.catalog.table.all(source, 'a')].flatMap((all) =>
      typeof all === 'symbol' ? [] : all,
    );
    const commit = summary?.id.source.precise;
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    rmSync(join(root, 'repo'), { recursive: true });
    const second = run('', { offlineFlag: '--offline' });
    const pinned = second.context.sources.forGit(urlOf('repo'), { kind: 'tag', name: 'v1' }, commit ?? '');
    const found = second.catalog.table.exact(pinned, 'a', parseVersion('0.1.0'));
    if (typeof found === 'symbol') throw new Error('not found');
    expect(found.id.source).toBe(pinned);
    // A path dependency inside of the repository comes from the repository.
    expect(found.dependencies.map((dependency) => dependency.source)).toEqual([pinned]);
    expect(second.catalog.table.exact(pinned, 'a', parseVersion('0.2.0'))).toBe(ABSENT);
    const [fetched] = await second.catalog.fetchPackages([found]);
    expect(fetched?.root).toMatch(/[\\/]git[\\/]checkouts[\\/]repo-[0-9a-f]{16}[\\/][0-9a-f]{7}[\\/]a$/);
  });

  test("fails with cargo's error chain every time, but is fetched only once", async () => {
    const { catalog, context, lines } = run('');
    const source = context.sources.forGit(urlOf('repo'), { kind: 'branch', name: 'nope' });
    const chain = [
      'failed to load source for dependency `a`',
      `unable to update ${urlOf('repo')}?branch=nope`,
      'failed to find branch `nope`',
      "cannot locate remote-tracking branch 'origin/nope'; class=Reference (4); code=NotFound (-3)",
    ];
    expect(await rejectionOf(catalog.loader.load([{ source, name: 'a' }]))).toEqual(chain);
    const required = { source, name: 'a', requiredBy: 'package `p v0.1.0 (/p)`' };
    expect(await rejectionOf(catalog.loader.load([required]))).toEqual([
      'failed to get `a` as a dependency of package `p v0.1.0 (/p)`',
      ...chain,
    ]);
    expect(lines).toHaveLength(1);
  });

  test('warns which of two packages with the same ID is used', async () => {
    commitToRepo(join(root, 'twice'), [
      { files: { 'x/Cargo.toml': manifest('d', '1.0.0'), 'y/Cargo.toml': manifest('d', '1.0.0') } },
      { files: { 'x/src/lib.rs': '', 'y/src/lib.rs': '' } },
    ]);
    const { context, versions, lines } = run('');
    const source = context.sources.forGit(urlOf('twice'), { kind: 'default' });
    expect(await versions(source, 'd')).toEqual(['1.0.0']);
    expect(await versions(source, 'd')).toEqual(['1.0.0']);
    const warnings = lines.filter((line) => line.startsWith('warning: '));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^warning: skipping duplicate package `d v1\.0\.0 \(.*#[0-9a-f]{8}\)`:\n {2}.*[\\/]y[\\/]Cargo\.toml\nin favor of .*[\\/]x[\\/]Cargo\.toml\n$/,
    );
  });
});

describe('a registry with a git index', () => {
  const commitIndex = (crates: readonly BuiltCrate[]): void =>
    commitToRepo(join(root, 'idx'), [
      { files: { 'config.json': '{"dl":"http://127.0.0.1:9"}', ...Object.fromEntries(indexFiles(crates)) } },
    ]);
  const config = (): string => `[registries.alt]\nindex = "${urlOf('idx')}"\n`;

  test('reads known versions from disk, and updates for any other version', async () => {
    commitIndex([crate('aa', '1.0.0')]);
    const first = run(config());
    const source = first.context.sources.forRegistryIndex(urlOf('idx'), 'alt');
    expect(await first.versions(source, 'aa')).toEqual(['1.0.0']);
    expect(first.lines).toEqual(['Updating `alt` index']);
    const cached = readFileSync(
      join(packagesHome(join(root, 'home')), `registry/index/${indexFolder()}/.cache/2/aa`),
      'latin1',
    );
    expect(cached.slice(0, 5)).toBe('\x03\x02\0\0\0');
    expect(cached.slice(5).split('\0')[1]).toBe('1.0.0');

    commitIndex([crate('aa', '1.0.0'), crate('aa', '1.1.0')]);
    const second = run(config());
    const again = second.context.sources.forRegistryIndex(urlOf('idx'), 'alt');
    const { table } = second.catalog;
    expect(typeof table.exact(again, 'aa', parseVersion('1.0.0'))).toBe('object');
    expect(second.lines).toEqual([]);
    expect(table.exact(again, 'aa', parseVersion('1.1.0'))).toBe(UNKNOWN);
    expect(await second.versions(again, 'aa')).toEqual(['1.0.0', '1.1.0']);
    expect(table.exact(again, 'aa', parseVersion('9.0.0'))).toBe(ABSENT);
    expect(second.lines).toEqual(['Updating `alt` index']);
  });

  test('is fetched once for itself and for the registry that it replaces', async () => {
    commitIndex([crate('aa', '1.0.0')]);
    const replaced = `${config()}[source.crates-io]\nreplace-with = "alt"\n`;
    const first = run(replaced);
    await first.versions(first.context.sources.forRegistryIndex(urlOf('idx'), 'alt'), 'aa');

    commitIndex([crate('aa', '1.0.0'), crate('aa', '1.1.0')]);
    const { catalog, context, versions, lines } = run(replaced);
    const alt = context.sources.forRegistryIndex(urlOf('idx'), 'alt');
    const cratesIo = context.sources.cratesIo();
    for (const source of [alt, cratesIo]) {
      expect(typeof catalog.table.exact(source, 'aa', parseVersion('1.0.0'))).toBe('object');
      catalog.loader.invalidate(source);
    }
    expect(await versions(alt, 'aa')).toEqual(['1.0.0', '1.1.0']);
    expect(await versions(cratesIo, 'aa')).toEqual(['1.0.0', '1.1.0']);
    expect(typeof catalog.table.exact(cratesIo, 'aa', parseVersion('1.1.0'))).toBe('object');
    expect(lines).toEqual(['Updating `alt` index']);
  });

  test('fails with the path of its repository if that does not exist', async () => {
    const { catalog, context } = run(`${config()}[net]\nretry = 0\n`);
    const source = context.sources.forRegistryIndex(urlOf('idx'), 'alt');
    expect(await rejectionOf(catalog.loader.load([{ source, name: 'aa' }]))).toEqual([
      'failed to load source for dependency `aa`',
      'unable to update registry `alt`',
      `failed to fetch \`${urlOf('idx')}\``,
      `failed to resolve path '${join(root, 'idx')}': No such file or directory; class=Os (2)`,
    ]);
  });

  test('has no packages offline before the first fetch, but an empty repository', async () => {
    const { context, versions, lines } = run(config(), { offlineFlag: '--offline' });
    const source = context.sources.forRegistryIndex(urlOf('idx'), 'alt');
    expect(await versions(source, 'aa')).toEqual([]);
    expect(lines).toEqual([]);
    expect(
      existsSync(join(packagesHome(join(root, 'home')), `registry/index/${indexFolder()}/.git/HEAD`)),
    ).toBe(true);
  });

  function indexFolder(): string {
    const { context } = run(config());
    const source = context.sources.forRegistryIndex(urlOf('idx'), 'alt');
    return registryDirName(source);
  }
});

describe('source replacement', () => {
  test.each([
    [
      '',
      'no source location specified for `source.m`, need `registry`, `local-registry`, `directory`, or `git` defined',
    ],
    ['directory = "x"\nlocal-registry = "y"', 'more than one source location specified for `source.m`'],
    [
      'directory = "x"\nreplace-with = "crates-io"',
      /^detected a cycle of `replace-with` sources, the source `crates-io` is eventually replaced with itself \(configuration in `.*config\.toml`\)$/,
    ],
    [
      'directory = "x"\nreplace-with = "n"\n[source.n]\ndirectory = "y"\nreplace-with = "m"',
      /^detected a cycle of `replace-with` sources, the source `m` is eventually replaced with itself /,
    ],
    [
      'git = "file:///x"',
      'cannot replace `crates-io` with `m`, the source `crates-io` supports checksums, but `m` does not\n\na lock file compatible with `crates-io` cannot be generated in this situation\n',
    ],
  ])('is refused for %j', async (definition, message) => {
    let last: string | undefined;
    try {
      const { catalog, context } = run(replacedBy(definition));
      last = (
        await rejectionOf(catalog.loader.load([{ source: context.sources.cratesIo(), name: 'aa' }]))
      ).at(-1);
    } catch (error) {
      last = messagesOf(error).at(-1);
    }
    expect(last).toMatch(message);
    if (typeof message === 'string') expect(last).toBe(message);
  });

  test('follows a chain, and accepts a registry that has no `[source]` table', async () => {
    writeLocalRegistry(join(root, 'reg'), [crate('aa', '1.0.0')]);
    const { context, versions } = run(
      '[source.crates-io]\nreplace-with = "a"\n[source.a]\nregistry = "https://a.invalid/"\nreplace-with = "b"\n' +
        '[source.b]\nlocal-registry = "../reg"\n',
    );
    expect(await versions(context.sources.cratesIo(), 'aa')).toEqual(['1.0.0']);
    const other = run(
      `[registries.alt]\nindex = "${urlOf('idx')}"\n[source.crates-io]\nreplace-with = "alt"\n`,
    );
    expect(other.catalog.sourceOf(other.context.sources.cratesIo()).actual.url).toBe(urlOf('idx'));
  });
});

test('`paths` overrides provide their packages, and fail for a missing folder', async () => {
  writeTree(root, { 'ov/deep/Cargo.toml': manifest('aa', '9.0.0'), 'ov/deep/src/lib.rs': '' });
  const { catalog, context } = run('paths = ["../ov"]\n');
  const summary = catalog.readPathOverrides().get('aa');
  if (summary === undefined) throw new Error('not found');
  expect(summary.id.source).toBe(context.sources.forPath(join(root, 'ov')));
  const [fetched] = await catalog.fetchPackages([summary]);
  expect(fetched?.root).toBe(join(root, 'ov/deep'));
  const missing = run('paths = ["../nope"]\n');
  expect(() => missing.catalog.readPathOverrides()).toThrow(
    `failed to update path override \`${join(root, 'nope')}\` (defined in \`${join(root, 'ws', '.cargo', 'config.toml')}\`)`,
  );
});
