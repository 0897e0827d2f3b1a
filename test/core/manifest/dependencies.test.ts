import { describe, expect, it } from 'vitest';
import { formatSourceUrl } from '../../../src/core/package-id/source-url.ts';
import type { Dependency } from '../../../src/core/summary/summary.ts';
import { PACKAGE, parsePackage, parseText } from './manifest-text.ts';

function dependencies(tables: string): readonly Dependency[] {
  return parsePackage(`${PACKAGE}${tables}`).summary.dependencies;
}

function dependency(entry: string): Dependency {
  const [first] = dependencies(`[dependencies]\n${entry}\n`);
  if (first === undefined) throw new Error('a dependency was expected');
  return first;
}

const sourceText = ({ source }: Dependency): string => formatSourceUrl(source, { encoded: false });

describe('dependencies', () => {
  it('are listed by table and key; [target] lists build before dev', () => {
    const tables = `
[build-dependencies]
x = "1"
[target.x86_64-pc-windows-gnu.dependencies]
w = "1"
[target.'cfg( unix )'.dev-dependencies]
d = "1"
[target.'cfg( unix )'.dependencies]
n = "1"
[target.'cfg( unix )'.build-dependencies]
b = "1"
[dev-dependencies]
y = "1"
[dependencies]
z = "1"
b_a = "1"
b-c = "1"
A = "1"
`;
    expect(
      dependencies(tables).map(({ kind, nameInToml, platform }) => [
        kind,
        nameInToml,
        platform?.text ?? null,
      ]),
    ).toEqual([
      ['normal', 'A', null],
      ['normal', 'b-c', null],
      ['normal', 'b_a', null],
      ['normal', 'z', null],
      ['dev', 'y', null],
      ['build', 'x', null],
      ['normal', 'n', 'cfg(unix)'],
      ['build', 'b', 'cfg(unix)'],
      ['dev', 'd', 'cfg(unix)'],
      ['normal', 'w', 'x86_64-pc-windows-gnu'],
    ]);
  });

  it('have defaults', () => {
    expect(dependency('x = ">= 1.0 , < 2"')).toMatchObject({
      name: 'x',
      nameInToml: 'x',
      renamed: false,
      registry: null,
      req: { text: '>=1.0, <2' },
      kind: 'normal',
      optional: false,
      defaultFeatures: true,
      features: [],
      platform: null,
    });
  });

  it('are kept as written', () => {
    const entry =
      'x = { package = "x", version = "1", features = ["b", "a", "b"], optional = true, default_features = false }';
    expect(dependency(entry)).toMatchObject({
      name: 'x',
      nameInToml: 'x',
      renamed: true,
      features: ['b', 'a', 'b'],
      optional: true,
      defaultFeatures: false,
    });
    expect(dependency('x = { package = "y", version = "1" }')).toMatchObject({ name: 'y', nameInToml: 'x' });
  });

  it.each([
    ['x = "1"', 'registry+https://github.com/rust-lang/crates.io-index'],
    ['x = { version = "1", registry = "alt" }', 'sparse+https://alt.example/index/'],
    ['x = { version = "1", registry-index = "https://a.b/c" }', 'registry+https://a.b/c'],
    ['x = { version = "1", registry-index = "sparse+https://a.b/c/" }', 'sparse+https://a.b/c/'],
    ['x = { path = "../x/./y/" }', 'path+file:///x/y'],
    ['x = { path = "/abs", version = "1", registry = "alt" }', 'path+file:///abs'],
    ['x = { git = "https://a.b/c.git" }', 'git+https://a.b/c.git'],
    ['x = { git = "https://a.b/c", branch = "f/x y" }', 'git+https://a.b/c?branch=f/x y'],
    ['x = { git = "https://a.b/c#d", rev = "d" }', 'git+https://a.b/c#d?rev=d'],
    ['x = { git = "https://a.b/c", tag = "v1" }', 'git+https://a.b/c?tag=v1'],
  ])('come from the source that %s names', (entry, source) => {
    expect(sourceText(dependency(entry))).toBe(source);
  });

  it('have the registry that the manifest names', () => {
    expect(dependency('x = { version = "1", registry = "crates-io" }').registry?.url).toBe(
      'https://github.com/rust-lang/crates.io-index',
    );
    expect(dependency('x = { path = "y", registry = "alt" }').registry?.registryName).toBe('alt');
  });

  it('by path have the source of their package if that is from git', () => {
    const manifest = parsePackage(`${PACKAGE}[dependencies]\nx.path = "../x"\n`, {
      source: (sources) => sources.forGit('https://a.b/c', { kind: 'default' }, 'f'.repeat(40)),
    });
    expect(manifest.summary.dependencies[0]?.source).toBe(manifest.summary.id.source);
    expect(manifest.dependencyPaths).toEqual(['../x']);
  });

  it('list their paths in the order normal, build, dev, [target]', () => {
    const tables = `
[dev-dependencies]
d.path = "d"
[dependencies]
n = { path = "./n" }
v = "1"
[build-dependencies]
b.path = "b"
[target.x.dev-dependencies]
td.path = "td"
`;
    expect(parsePackage(`${PACKAGE}${tables}`).dependencyPaths).toEqual(['./n', 'b', 'd', 'td']);
  });
});

describe('[patch] and [replace]', () => {
  it('patches are read from package and virtual manifests', () => {
    const tables = `
[patch.crates-io]
b = { path = "b" }
a = { git = "https://a.b/c", package = "aa" }
[patch."https://a.b/c"]
x.path = "x"
[patch.alt]
y.path = "y"
`;
    for (const text of [`${PACKAGE}${tables}`, `[workspace]\n${tables}`]) {
      const { patches } = parseText(text);
      expect(
        patches.map(({ source, dependency: { name, nameInToml } }) => [source.url, name, nameInToml]),
      ).toEqual([
        ['sparse+https://alt.example/index/', 'y', 'y'],
        ['https://github.com/rust-lang/crates.io-index', 'aa', 'a'],
        ['https://github.com/rust-lang/crates.io-index', 'b', 'b'],
        ['https://a.b/c', 'x', 'x'],
      ]);
      expect(patches.map(({ source }) => source.canonicalUrl)).toEqual([
        'sparse+https://alt.example/index',
        'https://github.com/rust-lang/crates.io-index',
        'https://github.com/rust-lang/crates.io-index',
        'https://a.b/c',
      ]);
      expect(patches[0]?.definedIn).toBe('/p/Cargo.toml');
    }
  });

  it('replacements require exactly the version that they replace', () => {
    const { replacements } = parseText(`${PACKAGE}[replace]\n"x:1.2.3" = { path = "y" }\n`);
    expect(replacements).toMatchObject([
      {
        spec: 'https://github.com/rust-lang/crates.io-index#x@1.2.3',
        dependency: { name: 'x', req: { text: '=1.2.3' } },
      },
    ]);
  });
});

describe('features', () => {
  it('are sorted, with an implicit one for each optional dependency that no `dep:` value names', () => {
    const tables = `[dependencies]
o = { version = "1", optional = true }
q = { version = "1", optional = true }
d = "1"
[features]
z = []
b = ["z", "dep:q", "o?/x", "d/y", "o/w", "z"]
"9" = ["o"]
`;
    const { features, summary } = parsePackage(`${PACKAGE}${tables}`);
    expect(Array.from(features)).toEqual([
      ['9', ['o']],
      ['b', ['z', 'dep:q', 'o?/x', 'd/y', 'o/w', 'z']],
      ['o', ['dep:o']],
      ['z', []],
    ]);
    expect(summary.features.get('o')).toEqual([{ kind: 'dep', dep: 'o' }]);
  });
});
