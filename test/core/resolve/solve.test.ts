import { describe, expect, it } from 'vitest';
import { TsregError } from '../../../src/core/errors/error.ts';
import { parseRustVersion } from '../../../src/core/version/partial-version.ts';
import { parseVersion } from '../../../src/core/version/version.ts';
import { show, versions, World, type Pkg } from './registry.ts';

/** Returns the versions that are selected for a member with these dependencies. */
function choose(
  world: World,
  deps: Pkg['deps'],
  rest: Parameters<World['problem']>[1] = {},
): readonly string[] {
  const member = world.path('/p', 'p 0.1.0', { deps: deps ?? {} });
  return versions(world.resolve(world.problem([member], rest)));
}

function worldOf(...packages: readonly string[]): World {
  const world = new World();
  for (const name of packages) world.add(name);
  return world;
}

describe('version selection', () => {
  it('takes the newest version that matches', () => {
    expect(choose(worldOf('a 1.0.0', 'a 1.2.0', 'a 2.0.0'), { a: '1' })).toEqual(['a 1.2.0']);
  });

  it('starts with the dependency that has the fewest candidates', () => {
    const world = worldOf('c 1.0.0', 'c 1.0.1', 'c 1.0.2', 'c 1.0.3');
    for (const minor of [0, 1, 2]) world.add(`a 1.0.${minor}`, { deps: { c: `=1.0.${minor}` } });
    world.add('b 1.0.0', { deps: { c: '<1.0.2' } });
    expect(choose(world, { a: '1', b: '1' })).toEqual(['a 1.0.1', 'b 1.0.0', 'c 1.0.1']);
  });

  it('does not merge incompatible versions', () => {
    const world = worldOf('x 1.0.0', 'x 2.0.0');
    world.add('a 1.0.0', { deps: { x: '*' } });
    world.add('b 1.0.0', { deps: { x: '^1' } });
    expect(choose(world, { a: '1', b: '1' })).toContain('x 1.0.0');
    expect(choose(world, { a: '1', b: '1' })).toContain('x 2.0.0');
  });

  it('treats 0.0.1 and 0.1.0 as incompatible', () => {
    const world = worldOf('a 0.0.1', 'a 0.1.0');
    expect(choose(world, { a: '0.0.1', b: { package: 'a', req: '0.1' } })).toEqual(['a 0.0.1', 'a 0.1.0']);
  });

  it('takes an older version if the newest lacks a feature', () => {
    const world = new World();
    world.add('a 1.0.0', { features: { f: [] } });
    world.add('a 1.1.0');
    expect(choose(world, { a: { req: '1', features: ['f'] } })).toEqual(['a 1.0.0']);
  });

  it('distinguishes a request for `+x` from one for `x` and the default feature', () => {
    const world = new World();
    world.add('a 1.0.0', { features: { x: [], default: [] } });
    world.add('b 1.0.0', { deps: { a: { features: ['+x'], default: false } } });
    const member = world.path('/p', 'p 0.1.0', { deps: { a: { features: ['x'] }, b: '1' } });
    expect(() => world.resolve(world.problem([member]))).toThrow('`a` does not have the feature `+x`');
  });

  it('takes an older version if two packages would link to the same library', () => {
    const world = new World();
    world.add('s 1.0.0', { links: 'x' });
    world.add('s 2.0.0', { links: 'x' });
    world.add('u 1.0.0', { deps: { s: '1' } });
    world.add('u 1.1.0', { deps: { s: '2' } });
    expect(choose(world, { s: '1', u: '1' })).toEqual(['s 1.0.0', 'u 1.0.0']);
  });

  it('compares build metadata as a number, and ignores it in requirements', () => {
    const world = worldOf('a 1.0.0', 'a 1.0.0+2', 'a 1.0.0+10', 'a 1.0.0+1');
    expect(choose(world, { a: '=1.0.0+1' })).toEqual(['a 1.0.0+10']);
  });

  it.each([
    ['2.0.0-beta.1', 'a 2.0.0'],
    ['>=2.0.0-alpha, <2.0.0', 'a 2.0.0-beta.1'],
    ['*', 'a 2.0.0'],
  ])('takes a pre-release only if the requirement excludes the release: %s', (req, chosen) => {
    expect(choose(worldOf('a 1.0.0', 'a 2.0.0-beta.1', 'a 2.0.0', 'a 3.0.0-rc.1'), { a: req })).toEqual([
      chosen,
    ]);
  });

  it('takes a pre-release of a path package without a version requirement', () => {
    const world = new World();
    world.path('/q', 'q 1.0.0-beta');
    const member = world.path('/p', 'p 0.1.0', { deps: { q: { path: '/q' } } });
    expect(show(world.resolve(world.problem([member])))).toEqual(['p 0.1.0 -> q 1.0.0-beta', 'q 1.0.0-beta']);
  });

  it('takes one version for all targets of a dependency', () => {
    const world = worldOf('a 1.0.0', 'a 1.1.0');
    const deps = { a: [{ req: '1' }, { req: '<1.1', target: 'cfg(windows)' }] };
    expect(choose(world, deps)).toEqual(['a 1.0.0']);
  });

  it('skips yanked versions', () => {
    const world = worldOf('a 1.0.0');
    world.add('a 1.1.0', { yanked: true });
    expect(choose(world, { a: '1' })).toEqual(['a 1.0.0']);
  });

  it('prefers versions that the Rust versions of more members support', () => {
    const world = new World();
    world.add('a 1.0.0');
    world.add('a 1.0.1', { rust: '1.60' });
    world.add('a 1.2.0', { rust: '1.99' });
    const rustVersions = ['1.60', '1.55'].map(parseRustVersion);
    expect(choose(world, { a: '1' }, { rustVersions: rustVersions.slice(0, 1) })).toEqual(['a 1.0.1']);
    expect(choose(world, { a: '1' }, { rustVersions })).toEqual(['a 1.0.0']);
    expect(choose(world, { a: '1.2' }, { rustVersions })).toEqual(['a 1.2.0']);
  });

  it('takes downloaded versions offline, and any version if none is downloaded', () => {
    const world = worldOf('a 1.0.0', 'b 1.0.0');
    for (const version of ['a 1.1.0', 'c 1.0.0', 'c 1.1.0']) {
      world.add(version);
      world.notDownloaded.add(version);
    }
    expect(choose(world, { a: '1', c: '1' }, { offline: true })).toEqual(['a 1.0.0', 'c 1.1.0']);
  });

  it('follows dev-dependencies of members only', () => {
    const world = worldOf('d 1.0.0', 'e 1.0.0');
    world.add('a 1.0.0', { deps: { d: { req: '1', kind: 'dev' } } });
    expect(choose(world, { a: '1', e: { req: '1', kind: 'dev' } })).toEqual(['a 1.0.0', 'e 1.0.0']);
  });

  it('lets a dev-dependency close a cycle', () => {
    const world = new World();
    const q = world.path('/q', 'q 0.1.0', { deps: { p: { path: '/p' } } });
    const p = world.path('/p', 'p 0.1.0', { deps: { q: { path: '/q', kind: 'dev' } } });
    expect(show(world.resolve(world.problem([p, q])))).toEqual(['p 0.1.0 -> q 0.1.0', 'q 0.1.0 -> p 0.1.0']);
  });

  it('needs an optional dependency of a package only if something enables it', () => {
    const world = new World();
    world.add('a 1.0.0', { deps: { gone: { req: '1', optional: true } } });
    expect(choose(world, { a: '1' })).toEqual(['a 1.0.0']);
    expect(() => choose(world, { a: { req: '1', features: ['gone'] } })).toThrow('no matching package');
    expect(() => choose(world, { gone: { req: '1', optional: true } })).toThrow('no matching package');
  });
});

describe('feature activation', () => {
  it('enables a weak dependency without its implicit feature', () => {
    const world = new World();
    world.add('o 1.0.0', { features: { x: [] } });
    const deps = { o: { req: '1', optional: true } };
    world.add('weak 1.0.0', { deps, features: { f: ['o?/x'] } });
    world.add('strong 1.0.0', { deps, features: { f: ['o/x'] } });
    world.add('named 1.0.0', { deps, features: { f: ['dep:o'] } });
    const member = world.path('/p', 'p 0.1.0', {
      deps: Object.fromEntries(
        ['weak', 'strong', 'named'].map((name) => [name, { req: '1', features: ['f'] }]),
      ),
    });
    expect(show(world.resolve(world.problem([member])))).toEqual([
      'named 1.0.0 [f] -> o 1.0.0',
      'o 1.0.0 [x]',
      'p 0.1.0 -> named 1.0.0, strong 1.0.0, weak 1.0.0',
      'strong 1.0.0 [f, o] -> o 1.0.0',
      'weak 1.0.0 [f] -> o 1.0.0',
    ]);
  });

  it('enables a feature on every declaration of a dependency', () => {
    const world = new World();
    world.add('x 1.0.0', { features: { f: [] } });
    world.add('x 2.0.0', { features: { f: [] } });
    const member = world.path('/p', 'p 0.1.0', {
      deps: { x: [{ req: '1' }, { req: '2', kind: 'build' }] },
      features: { g: ['x/f'] },
    });
    expect(show(world.resolve(world.problem([member])))).toEqual([
      'p 0.1.0 [g] -> x 1.0.0, x 2.0.0',
      'x 1.0.0 [f]',
      'x 2.0.0 [f]',
    ]);
  });

  it('leaves the default feature off if no dependent wants it', () => {
    const world = new World();
    world.add('a 1.0.0', { features: { default: ['d'], d: [] } });
    const member = world.path('/p', 'p 0.1.0', { deps: { a: { req: '1', default: false } } });
    expect(show(world.resolve(world.problem([member])))).toEqual(['a 1.0.0', 'p 0.1.0 -> a 1.0.0']);
  });
});

describe('the lock file', () => {
  it('keeps versions that still match', () => {
    const world = worldOf('a 1.0.0', 'b 1.0.0');
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const before = world.resolve(world.problem([member]));
    world.add('a 1.1.0');
    expect(
      versions(world.resolve(world.problem([member], { locks: world.locks(before, [member]) }))),
    ).toEqual(['a 1.0.0']);
    const changed = world.path('/p', 'p 0.2.0', { deps: { a: '1', b: '1' } });
    const locks = world.locks(before, [changed]);
    expect(locks.pinned.get(world.registry.unpinnedKey)).toBeUndefined();
    expect(versions(world.resolve(world.problem([changed], { locks })))).toEqual(['a 1.0.0', 'b 1.0.0']);
  });

  it('keeps yanked versions and pre-releases that it has', () => {
    const world = worldOf('a 1.0.0', 'b 1.0.0-rc.1');
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1', b: '1.0.0-rc.1' } });
    const before = world.resolve(world.problem([member]));
    world.remove('a 1.0.0');
    world.add('a 1.0.0', { yanked: true });
    world.add('a 1.1.0');
    world.add('b 1.0.0');
    const after = world.resolve(world.problem([member], { locks: world.locks(before, [member]) }));
    expect(versions(after)).toEqual(['a 1.0.0', 'b 1.0.0-rc.1']);
  });

  it('changes only the version that a changed requirement excludes', () => {
    const world = worldOf('a 1.0.0', 'b 1.0.0');
    const before = world.resolve(world.problem([world.path('/p', 'p 0.1.0', { deps: { a: '1', b: '1' } })]));
    world.add('a 1.1.0');
    world.add('b 1.1.0');
    const changed = world.path('/p', 'p 0.1.0', { deps: { a: '1.1', b: '1' } });
    const after = world.resolve(world.problem([changed], { locks: world.locks(before, [changed]) }));
    expect(versions(after)).toEqual(['a 1.1.0', 'b 1.0.0']);
  });

  it('gives new members the locked versions', () => {
    const world = worldOf('a 1.0.0');
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const before = world.resolve(world.problem([member]));
    world.add('a 1.1.0');
    const other = world.path('/q', 'q 0.1.0', { deps: { a: '1' } });
    const locks = world.locks(before, [member, other]);
    expect(versions(world.resolve(world.problem([member, other], { locks })))).toEqual(['a 1.0.0']);
  });

  it('names the locked version in the error if it is gone', () => {
    const world = worldOf('a 1.0.9', 'a 1.0.8');
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const before = world.resolve(world.problem([member]));
    world.remove('a 1.0.9');
    expect(() => world.resolve(world.problem([member], { locks: world.locks(before, [member]) }))).toThrow(
      `failed to select a version for the requirement \`a = "^1"\` (locked to 1.0.9)
candidate versions found which didn't match: 1.0.8
location searched: crates.io index
required by package \`p v0.1.0 (/p)\``,
    );
  });
});

describe('missing data', () => {
  it('is requested unless the known data already fails', () => {
    const world = worldOf('a 1.0.0');
    world.loaded = new Set();
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1', gone: '1' } });
    expect(() => world.resolve(world.problem([member]))).toThrow('needs a, gone');
    world.loaded.add('a');
    expect(() => world.resolve(world.problem([member]))).toThrow('needs gone');
    world.loaded = new Set(['gone']);
    expect(() => world.resolve(world.problem([member]))).toThrow('no matching package named `gone` found');
  });
});

describe('resolution errors', () => {
  const failing = (world: World, deps: Pkg['deps'], rest = {}): string => {
    try {
      choose(world, deps, rest);
    } catch (error) {
      return error instanceof TsregError ? (error.cargoMessage ?? error.message) : '';
    }
    return '';
  };

  it('list rejected versions, oldest first', () => {
    const world = new World();
    world.add('a 1.3.0', { yanked: true });
    world.rejected.push(
      {
        version: parseVersion('1.1.0'),
        reason: { kind: 'unsupported-index', indexVersion: 3, rustVersion: null },
      },
      { version: parseVersion('1.0.7'), reason: { kind: 'invalid-entry' } },
      {
        version: parseVersion('1.2.0'),
        reason: { kind: 'unsupported-index', indexVersion: 3, rustVersion: '1.99' },
      },
    );
    expect(failing(world, { a: '1' })).toBe(`failed to select a version for the requirement \`a = "^1"\`
  version 1.0.7's index entry is invalid
  version 1.1.0 requires a Cargo version that supports index version 3
  version 1.2.0 requires cargo 1.99
  version 1.3.0 is yanked
location searched: crates.io index
required by package \`p v0.1.0 (/p)\``);
  });

  it('list the newest versions that do not match', () => {
    const world = worldOf('a 1.0.0', 'a 1.2.0', 'a 2.0.0-beta.1', 'a 2.0.0');
    expect(failing(world, { a: '^9' }, { offline: true })).toBe(
      `failed to select a version for the requirement \`a = "^9"\`
candidate versions found which didn't match: 2.0.0, 2.0.0-beta.1, 1.2.0, ...
location searched: crates.io index
required by package \`p v0.1.0 (/p)\`
help: if you are looking for the prerelease package it needs to be specified explicitly
    a = { version = "2.0.0-beta.1" }
note: offline mode (via \`--offline\`) can sometimes cause surprising resolution failures
help: if this error is too confusing you may wish to retry without \`--offline\``,
    );
  });

  it('list similar names, the most similar first', () => {
    const world = worldOf('serdx 1.0.0', 'sercex 1.0.0', 'serdee 1.0.0', 'serde_ 1.0.0', 'tokio 1.0.0');
    expect(failing(world, { serde: '1' })).toContain(
      '\nhelp: packages with similar names: serde_, serdee, serdx, ...\n',
    );
    expect(failing(worldOf('ab 1.0.0', 'ac 1.0.0'), { aa: '1' })).toBe(`no matching package named \`aa\` found
location searched: crates.io index
required by package \`p v0.1.0 (/p)\`
help: packages with similar names: ab or ac
`);
    expect(failing(worldOf('tokio 1.0.0'), { serde: '1' })).toBe(`no matching package named \`serde\` found
location searched: crates.io index
required by package \`p v0.1.0 (/p)\``);
  });

  it('explain a library that two packages link to', () => {
    const world = new World();
    world.add('s 1.0.0', { links: 'foo' });
    world.add('s 2.0.0', { links: 'foo' });
    world.add('u 1.0.0', { deps: { s: '1' } });
    expect(failing(world, { s: '2', u: '1' })).toBe(`failed to select a version for \`s\`.
    ... required by package \`u v1.0.0\`
    ... which satisfies dependency \`u = "^1"\` of package \`p v0.1.0 (/p)\`
versions that meet the requirements \`^1\` are: 1.0.0

package \`s\` links to the native library \`foo\`, but it conflicts with a previous package which links to \`foo\` as well:
package \`s v2.0.0\`
    ... which satisfies dependency \`s = "^2"\` of package \`p v0.1.0 (/p)\`
note: only one package in the dependency graph may specify the same links value to ensure that only one copy of a native library is linked in the final binary
for more information, see https://doc.rust-lang.org/cargo/reference/resolver.html#links
help: try to adjust your dependencies so that only one package uses the \`links = "foo"\` value

failed to select a version for \`s\` which could resolve this conflict`);
  });

  it('explain conflicts with selected versions', () => {
    const world = worldOf('a 1.0.0', 'a 1.0.1');
    expect(failing(world, { a: '=1.0.0', a2: { package: 'a', req: '=1.0.1' } })).toBe(
      `failed to select a version for \`a\`.
    ... required by package \`p v0.1.0 (/p)\`
versions that meet the requirements \`=1.0.1\` are: 1.0.1

all possible versions conflict with previously selected packages

  previously selected package \`a v1.0.0\`
    ... which satisfies dependency \`a = "=1.0.0"\` of package \`p v0.1.0 (/p)\`

failed to select a version for \`a\` which could resolve this conflict`,
    );
  });

  it.each([
    ['fo', 'does not have that feature.\nhelp: there is a feature `foo` with a similar name\n'],
    ['something', 'does not have that feature.\nhelp: available features: bar, foo\n'],
    [
      'req',
      'does not have that feature.\nnote: a required dependency with that name exists, but only optional dependencies can be used as features.\n',
    ],
    [
      'opt',
      'does not have that feature.\nnote: an optional dependency with that name exists, but that dependency uses the "dep:" syntax in the features table, so it does not have an implicit feature with that name.\n',
    ],
  ])('explain the missing feature %s', (feature, text) => {
    const world = worldOf('req 1.0.0', 'opt 1.0.0');
    world.add('d 1.0.0', {
      deps: { req: '1', opt: { req: '1', optional: true } },
      features: { foo: ['dep:opt'], bar: [] },
    });
    expect(failing(world, { d: { req: '1', features: [feature] } })).toContain(
      `package \`p\` depends on \`d\` with feature \`${feature}\` but \`d\` `,
    );
    expect(failing(world, { d: { req: '1', features: [feature] } })).toContain(text);
  });

  it.each([
    ['fou', 'help: a feature with a similar name exists: `foo`\n'],
    ['something', 'help: available features: bar, foo\n'],
    [
      'req',
      'note: a required dependency with that name exists, but only optional dependencies can be used as features\n',
    ],
  ])('name first the package without the feature %s, and few of its versions', (feature, help) => {
    const world = worldOf('req 1.0.0');
    for (let minor = 0; minor < 230; minor += 1) {
      world.add(`d 1.${minor}.0`, { deps: { req: '1' }, features: { foo: [], bar: [] } });
    }
    expect(() => choose(world, { d: { req: '1', features: [feature] } })).toThrow(
      expect.objectContaining({
        message:
          `\`d\` does not have the feature \`${feature}\`, which package \`p\` enables\n${help}\n` +
          'required by package `p v0.1.0 (/p)`\n' +
          'versions that meet the requirement `^1`: 1.229.0, 1.228.0, 1.227.0 and 227 more',
        cargoMessage: expect.stringContaining('1.1.0, 1.0.0\n\npackage `p` depends on `d` with feature'),
      }),
    );
  });

  it('show a cycle with its path', () => {
    const world = new World();
    world.path('/a', 'a 0.1.0', { deps: { p: { path: '/p' } } });
    expect(failing(world, { a: { path: '/a' } })).toBe(
      `cyclic package dependency: package \`a v0.1.0 (/a)\` depends on itself. Cycle:
package \`a v0.1.0 (/a)\`
    ... which satisfies path dependency \`a\` of package \`p v0.1.0 (/p)\`
    ... which satisfies path dependency \`p\` of package \`a v0.1.0 (/a)\``,
    );
  });

  it('report packages that a lock file cannot distinguish', () => {
    const world = new World();
    world.path('/a', 'a 0.1.0');
    world.path('/b', 'a 0.1.0');
    expect(failing(world, { a: { path: '/a' }, b: { package: 'a', path: '/b' } })).toBe(
      'package collision in the lockfile: packages a v0.1.0 (/a) and a v0.1.0 (/b) are different, but only one can be written to lockfile unambiguously',
    );
  });

  it('report a feature that includes itself, if it is used', () => {
    const world = new World();
    world.add('a 1.0.0', { features: { f: ['f'] } });
    expect(choose(world, { a: '1' })).toEqual(['a 1.0.0']);
    expect(failing(world, { a: { req: '1', features: ['f'] } })).toBe(
      'cyclic feature dependency: feature `f` depends on itself',
    );
  });

  it('report members that link to the same library', () => {
    const world = new World();
    const members = [
      world.path('/p', 'p 0.1.0', { links: 'z' }),
      world.path('/q', 'q 0.1.0', { links: 'z' }),
    ];
    expect(() => world.resolve(world.problem(members))).toThrow(
      'Attempting to resolve a dependency with more than one crate with links=z.\nThis will not build as is. Consider rebuilding the .lock file.',
    );
  });
});
