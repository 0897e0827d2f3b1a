import { describe, expect, it } from 'vitest';
import { matchesPackageIdSpec, parsePackageIdSpec } from '../../../src/core/package-id/package-id-spec.ts';
import { lockPrevious } from '../../../src/core/resolve/lock-previous.ts';
import { formatWarning } from '../../../src/core/errors/warning.ts';
import { wordsOf } from '../../../src/core/errors/wording.ts';
import { unusedPatchWarnings } from '../../../src/core/resolve/patch-warnings.ts';
import { lockReplacements } from '../../../src/core/resolve/previous.ts';
import type { Patches, Previous, ReplacementRule } from '../../../src/core/resolve/problem.ts';
import { selectPatches, type PatchEntry } from '../../../src/core/resolve/select-patches.ts';
import { Search } from '../../../src/core/resolve/solve.ts';
import { unusedOverrideFields } from '../../../src/core/resolve/unused-override-fields.ts';
import type { Dependency, Summary } from '../../../src/core/summary/summary.ts';
import { ANY_VERSION, parseVersionReq } from '../../../src/core/version/requirement.ts';
import { show, versions, World } from './registry.ts';

function pathDependency(world: World, name: string, folder: string, req: string | null = null): Dependency {
  return {
    name,
    nameInToml: name,
    renamed: false,
    source: world.sources.forPath(folder),
    registry: null,
    req: req === null ? ANY_VERSION : parseVersionReq(req),
    kind: 'normal',
    optional: false,
    defaultFeatures: true,
    features: [],
    platform: null,
  };
}

function patch(world: World, name: string, folder: string, req: string | null = null): PatchEntry {
  return {
    source: world.registry,
    dependency: pathDependency(world, name, folder, req),
    definedIn: '/p/Cargo.toml',
  };
}

function select(world: World, entries: readonly PatchEntry[], previous: Previous | null = null): Patches {
  const outcome = selectPatches(entries, { table: world.table, sources: world.sources, previous });
  if (outcome.kind === 'needs') throw new Error('needs something');
  return outcome.patches;
}

function patchedWorld(version: string): World {
  const world = new World();
  for (const known of ['a 1.0.0', 'a 1.2.0']) world.add(known);
  world.path('/pa', `a ${version}`);
  world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
  return world;
}

function memberOf(world: World): Summary {
  const member = world.pathPackage(world.sources.forPath('/p'));
  if (member === null) throw new Error('there is no member');
  return member;
}

describe('[patch]', () => {
  it('is preferred to newer versions', () => {
    const world = patchedWorld('1.0.2');
    const patches = select(world, [patch(world, 'a', '/pa')]);
    const resolution = world.resolve(world.problem([memberOf(world)], { patches }));
    expect(show(resolution)).toEqual(['a 1.0.2', 'p 0.1.0 -> a 1.0.2']);
    expect(resolution.unusedPatches).toEqual([]);
  });

  it('is kept by the lock file', () => {
    const world = patchedWorld('1.0.2');
    const patches = select(world, [patch(world, 'a', '/pa')]);
    const before = world.resolve(world.problem([memberOf(world)], { patches }));
    const locks = world.locks(before, [memberOf(world)]);
    const again = select(world, [patch(world, 'a', '/pa')], world.previous(before));
    expect(show(world.resolve(world.problem([memberOf(world)], { patches: again, locks })))).toEqual(
      show(before),
    );
  });

  it('causes only a warning if nothing uses it', () => {
    const world = patchedWorld('2.0.0');
    const patches = select(world, [patch(world, 'a', '/pa')]);
    const resolution = world.resolve(world.problem([memberOf(world)], { patches }));
    expect(versions(resolution)).toEqual(['a 1.2.0']);
    expect(resolution.unusedPatches.map(({ key }) => key)).toEqual([`a 2.0.0 path file:///pa`]);
    expect(
      unusedPatchWarnings(resolution, patches).map((warning) => formatWarning(wordsOf(warning, 'cargo'))),
    ).toEqual([
      `warning: patch \`a v2.0.0 (/pa)\` was not used in the crate graph
help: Check that the patched package version and available features are compatible
      with the dependency requirements. If the patch has a different version from
      what is locked in the Cargo.lock file, run \`cargo update\` to use the new
      version. This may also occur with an optional dependency that is not enabled.`,
    ]);
  });

  it('unlocks its old version once its version changed', () => {
    const world = patchedWorld('1.0.2');
    const first = select(world, [patch(world, 'a', '/pa')]);
    const before = world.previous(world.resolve(world.problem([memberOf(world)], { patches: first })));
    world.path('/pa', 'a 1.0.3');
    const outcome = selectPatches([patch(world, 'a', '/pa')], {
      table: world.table,
      sources: world.sources,
      previous: before,
    });
    if (outcome.kind === 'needs') throw new Error('needs something');
    const { patches, avoid } = outcome;
    expect(Array.from(avoid)).toEqual(['a 1.0.2 path file:///pa']);
    const { pathPackage, sources } = world;
    const members = [memberOf(world)];
    const locks = lockPrevious(before, { members, pathPackage, avoid, sources });
    expect(show(world.resolve(world.problem(members, { patches, locks })))).toContain('a 1.0.3');
  });

  it('matches only downloaded versions offline, if there are any', () => {
    const world = patchedWorld('1.0.2');
    const source = world.sources.forRegistryIndex('https://example.com/index');
    const entry: PatchEntry = {
      source,
      dependency: { ...pathDependency(world, 'a', '/pa', '1'), source: world.registry },
      definedIn: '/p/Cargo.toml',
    };
    const context = { table: world.table, sources: world.sources, previous: null };
    const found = (isOffline: boolean): readonly string[] => {
      const outcome = selectPatches([entry], { ...context, isOffline });
      if (outcome.kind === 'needs') throw new Error('needs something');
      const summaries = outcome.patches.bySource.get(source.canonicalUrl)?.summaries ?? [];
      return summaries.map(({ id }) => id.version.text);
    };
    const several = /resolved to more than one candidate\nnote: found versions: 1.0.0, 1.2.0\n/;
    expect(() => found(true)).toThrow(several);
    world.notDownloaded.add('a 1.2.0');
    expect(found(true)).toEqual(['1.0.0']);
    expect(() => found(false)).toThrow(several);
    world.notDownloaded.add('a 1.0.0');
    expect(() => found(true)).toThrow(several);
  });

  it.each([
    [
      [['zz', '/pa', null]],
      'patch location `/pa` does not contain packages matching `zz`\nhelp: check `zz` patch definition for `https://github.com/rust-lang/crates.io-index` in `/p/Cargo.toml`',
    ],
    [
      [['a', '/pa', '3']],
      'patch `a` version mismatch\nnote: patch location contains version `1.0.5`, but patch definition requires `^3`\nhelp: check patch location `/pa`\nhelp: check `a` patch definition for `https://github.com/rust-lang/crates.io-index` in `/p/Cargo.toml`',
    ],
    [
      [
        ['a', '/pa', null],
        ['a', '/pb', null],
      ],
      'several `[patch]` entries resolving to same version `a v1.0.5`\nhelp: check `a` patch definitions for `https://github.com/rust-lang/crates.io-index` in `/p/Cargo.toml`',
    ],
  ] as const)('is refused for %j', (entries, message) => {
    const world = patchedWorld('1.0.5');
    world.path('/pb', 'a 1.0.5');
    const patches = entries.map(([name, folder, req]) => patch(world, name, folder, req));
    expect(() => select(world, patches)).toThrow(expect.objectContaining({ message }));
  });

  it('must match one package from another source', () => {
    const world = patchedWorld('1.0.5');
    const own = { ...pathDependency(world, 'a', '/pa', '1'), source: world.registry };
    const entry = { ...patch(world, 'a', '/pa'), dependency: own };
    expect(() =>
      select(world, [entry]),
    ).toThrow(`patch for \`a\` in \`registry \`crates-io\`\` resolved to more than one candidate
note: found versions: 1.0.0, 1.2.0
help: check \`a\` patch definition for \`https://github.com/rust-lang/crates.io-index\` in \`/p/Cargo.toml\`
help: select only one package using \`version = "=1.2.0"\``);
    const single = { ...entry, dependency: { ...own, req: parseVersionReq('=1.2.0') } };
    expect(() => select(world, [single])).toThrow(
      'patch for `a` points to the same source, but patches must point to different sources',
    );
  });

  it('warns about fields without effect', () => {
    const dependency = pathDependency(new World(), 'a', '/pa');
    expect(unusedOverrideFields(dependency, 'patch')).toBeNull();
    const both = { ...dependency, features: ['f'], defaultFeatures: false };
    expect(formatWarning(unusedOverrideFields(both, 'patch') ?? '')).toBe(
      'warning: unused field in patch for `a`: `features`, `default-features`\n  |\n  = help: configure `features`, `default-features` in the `dependencies` entry',
    );
    const one = { ...dependency, defaultFeatures: false };
    expect(formatWarning(unusedOverrideFields(one, 'replace') ?? '')).toBe(
      'warning: unused field in replacement for `a`: `default-features`\n  |\n  = note: configure `default-features` in the `dependencies` entry',
    );
  });
});

describe('[replace]', () => {
  function rule(world: World, spec: string, folder: string, req: string): ReplacementRule {
    const parsed = parsePackageIdSpec(spec);
    return {
      spec: `https://github.com/rust-lang/crates.io-index#${spec}`,
      matches: (id) => id.source === world.registry && matchesPackageIdSpec(parsed, id),
      dependency: pathDependency(world, spec.split('@')[0] ?? '', folder, req),
    };
  }

  it('keeps both packages, the replaced one without dependencies', () => {
    const world = new World();
    world.add('b 1.0.0');
    world.add('a 1.0.0', { deps: { b: '1' } });
    world.path('/r', 'a 1.0.0');
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const replacements = [rule(world, 'a@1.0.0', '/r', '=1.0.0')];
    const resolution = world.resolve(world.problem([member], { replacements }));
    expect(show(resolution)).toEqual(['a 1.0.0', 'a 1.0.0', 'p 0.1.0 -> a 1.0.0']);
    expect(resolution.packages.map(({ replacement }) => replacement)).toEqual([null, 0, null]);
    expect(resolution.packages[2]?.edges[0]?.to).toBe(1);
    const previous = world.previous(resolution);
    const [locked] = lockReplacements(replacements, previous, {
      sources: world.sources,
      avoid: new Set(),
    });
    expect(locked?.dependency.req.locked?.text).toBe('1.0.0');
  });

  it('fails for a missing package and for another version', () => {
    const world = new World();
    world.add('a 1.0.0');
    world.path('/r', 'a 1.1.0');
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const fail = (replacement: ReplacementRule): unknown => {
      try {
        return world.resolve(world.problem([member], { replacements: [replacement] }));
      } catch (error) {
        return error;
      }
    };
    const missing = fail(rule(world, 'a@1.0.0', '/r', '=1.0.0'));
    expect(missing).toMatchObject({
      message: 'failed to get `a` as a dependency of package `p v0.1.0 (/p)`',
      cause: {
        message: `no matching package for override \`https://github.com/rust-lang/crates.io-index#a@1.0.0\` found
location searched: /r
version required: =1.0.0`,
      },
    });
    expect(fail(rule(world, 'a@1.0.0', '/r', '1'))).toMatchObject({
      cause: {
        message: `replacement specification \`https://github.com/rust-lang/crates.io-index#a@1.0.0\` matched 1.0.0 and tried to override it with 1.1.0
avoid matching unrelated packages by being more specific`,
      },
    });
  });
});

describe('`paths` overrides', () => {
  it('replace any version, and warn about changed dependencies', () => {
    const world = new World();
    world.add('b 1.0.0');
    world.add('a 1.0.0', { deps: { b: '1' } });
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const before = world.resolve(world.problem([member]));
    const override = world.path('/o', 'a 9.0.0');
    const problem = world.problem([member], {
      overrides: new Map([['a', override]]),
      locks: world.locks(before, [member]),
    });
    expect(show(world.resolve(problem))).toEqual(['a 9.0.0', 'p 0.1.0 -> a 9.0.0']);
    const warnings: string[] = [];
    const observer = {
      beginQuery: () => false,
      ask: () => false,
      warn: (text: string) => warnings.push(text),
    };
    new Search(problem, world.table, observer).run();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(
      'path override for crate `a` has altered the original list of\ndependencies; the dependency on `b` was removed\n\nThis is currently allowed',
    );
  });
});
