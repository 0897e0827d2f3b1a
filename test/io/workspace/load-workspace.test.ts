import { describe, expect, test } from 'vitest';
import type { TsregError } from '../../../src/core/errors/error.ts';
import { formatWarning } from '../../../src/core/errors/warning.ts';
import type { SourceId } from '../../../src/core/package-id/source-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { loadWorkspace } from '../../../src/io/workspace/load-workspace.ts';
import { ManifestLoader } from '../../../src/io/workspace/manifest-loader.ts';
import type { Workspace } from '../../../src/io/workspace/workspace.ts';
import { MemoryFiles } from '../../helpers/memory-files.ts';
import { NOT_FOUND } from '../../helpers/system.ts';

type Tree = Readonly<Record<string, string>>;

function pkg(name: string, dependencies: readonly string[] = [], more = ''): string {
  const lines = dependencies.map((path, i) => {
    const [folder = 'up'] = /\w+$/.exec(path) ?? [];
    return `d${i} = { path = "${path}", package = "${folder}" }`;
  });
  return `[package]\nname = "${name}"\nedition = "2015"\n${more}\n[lib]\npath = "lib.rs"\n[dependencies]\n${lines.join('\n')}\n`;
}

/** Loads the workspace of `/w/<start>/Cargo.toml`; names of `tree` are relative to `/w`. */
function load(tree: Tree, start = ''): Workspace {
  const manifests = makeLoader(tree);
  return loadWorkspace(`/w/${start === '' ? '' : `${start}/`}Cargo.toml`, manifests);
}

function makeLoader(tree: Tree, cargoHome = '/home'): ManifestLoader {
  const files = new MemoryFiles(
    Object.fromEntries(Object.entries(tree).map(([path, text]) => [`/w/${path}`, text])),
  );
  const sources = new SourceTable();
  const registry = (name: string): SourceId => {
    if (name === 'crates-io') return sources.cratesIo();
    throw new Error(name);
  };
  return new ManifestLoader({ files, sources, registry, cargoHome });
}

function members({ members: all }: Workspace): string {
  return all.map(({ summary }) => summary.id.name).join(' ');
}

function defaults({ defaultMembers }: Workspace): string {
  return defaultMembers.map(({ summary }) => summary.id.name).join(' ');
}

/** Returns the messages of the error of `load`, the outermost first. */
function failure(tree: Tree, start = ''): string[] {
  try {
    load(tree, start);
  } catch (error) {
    const messages: string[] = [];
    for (let at: unknown = error; at instanceof Error; at = at.cause) messages.push(at.message);
    expect((error as TsregError).code).not.toBe('bug');
    return messages;
  }
  throw new Error('the workspace was loaded');
}

describe('members', () => {
  test('are found depth first along path dependencies, in the order of the `members` list', () => {
    const tree: Tree = {
      'Cargo.toml': '[workspace]\nmembers = ["z", "a*", "z", "b/../b", "m/*"]',
      'z/Cargo.toml': pkg('z', ['../q']),
      'q/Cargo.toml': pkg('q'),
      'a1/Cargo.toml':
        `${pkg('a1', ['../zz'])}[dev-dependencies]\nbb = { path = "../bb" }\n` +
        '[build-dependencies]\nab = { path = "../ab" }\n[target.x.dependencies]\naa = { path = "../aa", optional = true }\n',
      'zz/Cargo.toml': pkg('zz'),
      'bb/Cargo.toml': pkg('bb'),
      'ab/Cargo.toml': pkg('ab'),
      'aa/Cargo.toml': pkg('aa'),
      'a2/Cargo.toml': pkg('a2'),
      'b/Cargo.toml': pkg('b'),
      'm/.hid/Cargo.toml': pkg('hid'),
      'm/x/Cargo.toml': pkg('x'),
      'm/file': '',
      afile: '',
    };
    expect(members(load(tree))).toBe('z q a1 zz bb ab aa a2 b hid x');
    expect(defaults(load(tree))).toBe('z q a1 zz bb ab aa a2 b hid x');
    expect(defaults(load(tree, 'm/x'))).toBe('x');
    expect(load(tree, 'm/x')).toMatchObject({
      root: '/w',
      isImplicit: false,
      currentManifest: { path: '/w/m/x/Cargo.toml' },
    });
  });

  test('are found along very long chains of path dependencies', () => {
    const length = 4000;
    const tree = Object.fromEntries(
      Array.from({ length }, (_, at) => [
        `c${at}/Cargo.toml`,
        pkg(`c${at}`, at + 1 < length ? [`../c${at + 1}`] : []),
      ]),
    );
    const root = { 'Cargo.toml': '[workspace]\nmembers = ["c0"]' };
    expect(load({ ...root, ...tree }).members).toHaveLength(length);
    const causes = failure({ ...root, ...tree, [`c${length - 1}/Cargo.toml`]: 'x' });
    expect(causes).toHaveLength(length + 1);
    expect(causes.slice(0, 3)).toEqual([
      'failed to load manifest for workspace member `/w/c0`\nreferenced by workspace at `/w/Cargo.toml`',
      'failed to load manifest for dependency `c1`',
      'failed to load manifest for dependency `c2`',
    ]);
  });

  test('include the path dependencies of the root package', () => {
    const tree: Tree = {
      'Cargo.toml': `${pkg('root', ['c'])}[workspace]\nmembers = ["b"]`,
      'b/Cargo.toml': pkg('b'),
      'c/Cargo.toml': pkg('c', ['..']),
    };
    expect(members(load(tree))).toBe('b root c');
    expect(defaults(load(tree))).toBe('root');
    expect(members(load(tree, 'c'))).toBe('b root c');
  });

  test('are only the package itself without a workspace, and dependencies are not read', () => {
    const workspace = load({ 'Cargo.toml': pkg('p', ['absent']) });
    expect(members(workspace)).toBe('p');
    expect(workspace).toMatchObject({ root: '/w', isImplicit: true, warnings: [] });
    expect([...workspace.manifests.loaded()]).toHaveLength(1);
  });

  test('may be missing', () => {
    expect(load({ 'Cargo.toml': '[workspace]' })).toMatchObject({
      members: [],
      defaultMembers: [],
      resolver: '1',
    });
  });

  test('include a dependency outside of the root only if it names this root', () => {
    const tree: Tree = {
      'ws/Cargo.toml': '[workspace]\nmembers = ["a"]',
      'ws/a/Cargo.toml': pkg('a', ['../../out', '../../own']),
      'out/Cargo.toml': pkg('out', ['../ws/in']),
      'own/Cargo.toml': pkg('own', ['../ws/in2'], 'workspace = "../ws"'),
      'ws/in/Cargo.toml': pkg('in'),
      'ws/in2/Cargo.toml': pkg('in2'),
    };
    expect(members(load(tree, 'ws'))).toBe('a own in2');
    expect(load(tree, 'out').isImplicit).toBe(true);
    expect(load(tree, 'own').root).toBe('/w/ws');
  });

  test('are listed once, however they are reached', () => {
    const tree: Tree = {
      'Cargo.toml': '[workspace]\nmembers = ["a/", "b//c", "./d", "e/.", "f*/", "/w/g", "a"]',
      'a/Cargo.toml': pkg('a', ['../b/../d']),
      'b/c/Cargo.toml': pkg('c'),
      'd/Cargo.toml': pkg('d', ['../a']),
      'e/Cargo.toml': pkg('e'),
      'f1/Cargo.toml': pkg('f1'),
      f2: '',
      'g/Cargo.toml': pkg('g'),
    };
    expect(members(load(tree))).toBe('a d c e f1 g');
  });

  test('inherit from the root, also outside of its folder', () => {
    const tree: Tree = {
      'ws/Cargo.toml': '[workspace]\nmembers = ["a", "../b"]\n[workspace.package]\nlicense = "MIT"',
      'ws/a/Cargo.toml': pkg('a', [], 'license.workspace = true'),
      'b/Cargo.toml': pkg('b', [], 'license.workspace = true\nworkspace = "../ws"'),
    };
    for (const start of ['ws', 'ws/a', 'b']) {
      expect(load(tree, start).members.map(({ license }) => license)).toEqual(['MIT', 'MIT']);
    }
  });
});

describe('exclude', () => {
  const tree: Tree = {
    'Cargo.toml': '[workspace]\nmembers = ["a", "b/*"]\nexclude = ["b/c", "a", "./e/", "f/../h"]',
    'a/Cargo.toml': pkg('a', ['../e', '../h']),
    'b/c/Cargo.toml': pkg('c'),
    'b/d/Cargo.toml': pkg('d'),
    'e/Cargo.toml': pkg('e'),
    'h/Cargo.toml': pkg('h'),
    'e/f/Cargo.toml': pkg('f'),
  };

  test('yields to members that are listed by path, but not by pattern', () => {
    expect(members(load(tree))).toBe('a h d');
    expect(load(tree, 'a').isImplicit).toBe(false);
    expect(load(tree, 'b/c').isImplicit).toBe(true);
    expect(load(tree, 'e/f').isImplicit).toBe(true);
  });

  test('matches whole path components', () => {
    const prefix: Tree = {
      'Cargo.toml': '[workspace]\nmembers=["ab"]\nexclude=["a"]',
      'ab/Cargo.toml': pkg('ab'),
    };
    expect(members(load(prefix))).toBe('ab');
  });

  test('lets the search for a root continue in parent folders', () => {
    const nested: Tree = {
      'Cargo.toml': '[workspace]\nmembers = ["mid/x"]',
      'mid/Cargo.toml': '[workspace]\nexclude = ["x"]',
      'mid/x/Cargo.toml': pkg('x'),
    };
    expect(load(nested, 'mid/x').root).toBe('/w');
  });

  test('of the root itself makes it a single package, and is an error for members', () => {
    const self: Tree = {
      'Cargo.toml': `${pkg('p')}[workspace]\nexclude = ["."]`,
      'b/Cargo.toml': pkg('b', [], 'workspace = ".."'),
    };
    expect(load(self).isImplicit).toBe(true);
    expect(failure(self, 'b')).toEqual([
      '`package.workspace` configuration points to a crate which is not configured with [workspace]: \n' +
        'configuration at: /w/b/Cargo.toml\npoints to: /w/Cargo.toml',
    ]);
  });
});

describe('default-members', () => {
  const tree: Tree = {
    'Cargo.toml': '[workspace]\nmembers = ["*"]\nexclude = ["b"]\ndefault-members = ["c", "a*", "./b/../a1"]',
    'a1/Cargo.toml': pkg('a1'),
    'a2/Cargo.toml': pkg('a2'),
    'b/Cargo.toml': pkg('b'),
    'c/Cargo.toml': pkg('c'),
  };

  test('apply if the command starts at the root', () => {
    expect(defaults(load(tree))).toBe('c a1 a2 a1');
    expect(defaults(load(tree, 'a2'))).toBe('a2');
  });

  test('may name excluded packages, which are skipped, but not a pattern without matches', () => {
    const root = (list: string): Tree => ({
      ...tree,
      'Cargo.toml': `[workspace]\nmembers = ["*"]\nexclude = ["b"]\ndefault-members = ${list}`,
    });
    expect(defaults(load(root('["c", "b"]')))).toBe('c');
    expect(defaults(load(root('[]')))).toBe('');
    expect(failure(root('["x*"]'))).toEqual([
      'package `/w/x*` is listed in default-members but is not a member\nfor workspace at `/w/Cargo.toml`.',
    ]);
  });

  test('must be members', () => {
    const stranger: Tree = {
      'Cargo.toml': '[workspace]\nmembers = ["a"]\ndefault-members = ["x*"]',
      'a/Cargo.toml': pkg('a'),
      'x1/Cargo.toml': pkg('x1'),
    };
    expect(failure(stranger)).toEqual([
      'package `/w/x1` is listed in default-members via `x*` but is not a member\nfor workspace at `/w/Cargo.toml`.',
    ]);
    expect(defaults(load(stranger, 'a'))).toBe('a');
  });
});

describe('the root', () => {
  test('is the one that the nearest manifest above points to', () => {
    const tree: Tree = {
      'ws/Cargo.toml': '[workspace]\nmembers = ["../m", "../m/n"]',
      'm/Cargo.toml': pkg('m', [], 'workspace = "../ws"'),
      'm/n/Cargo.toml': pkg('n'),
    };
    expect(load(tree, 'm/n').root).toBe('/w/ws');
  });

  test('must exist and have a [workspace] table', () => {
    const pointer = pkg('b', [], 'workspace = "../ws"');
    expect(failure({ 'ws/Cargo.toml': pkg('w'), 'b/Cargo.toml': pointer }, 'b')).toEqual([
      "root of a workspace inferred but wasn't a root: /w/ws/Cargo.toml",
    ]);
    expect(failure({ 'b/Cargo.toml': pointer }, 'b')).toEqual([
      'failed to read `/w/ws/Cargo.toml`',
      NOT_FOUND,
    ]);
    expect(failure({ 'b/Cargo.toml': pkg('b', [], 'workspace = "."') }, 'b')).toEqual([
      "root of a workspace inferred but wasn't a root: /w/b/Cargo.toml",
    ]);
  });

  test('is searched in all manifests above, which must be valid', () => {
    expect(failure({ 'Cargo.toml': '[lib]', 'a/b/Cargo.toml': pkg('b') }, 'a/b')).toEqual([
      'failed searching for potential workspace\npackage manifest: `/w/a/b/Cargo.toml`\n' +
        'invalid potential workspace manifest: `/w/Cargo.toml`\n\n' +
        'help: to avoid searching for a non-existent workspace, add `[workspace]` to the package manifest',
      'failed to parse manifest at `/w/Cargo.toml`',
      'this virtual manifest specifies a `lib` section, which is not allowed',
    ]);
  });

  test('is not searched above target/package or CARGO_HOME', () => {
    const tree: Tree = {
      'Cargo.toml': '[workspace]',
      'target/package/p-1/Cargo.toml': pkg('p'),
      'home/src/q/Cargo.toml': pkg('q'),
      'home2/src/q/Cargo.toml': pkg('q'),
    };
    expect(load(tree, 'target/package/p-1').isImplicit).toBe(true);
    const loader = makeLoader(tree, '/w/home');
    expect(loader.findRoot('/w/home/src/q/Cargo.toml')).toBeNull();
    expect(loader.findRoot('/w/home2/src/q/Cargo.toml')).toBe('/w/Cargo.toml');
  });

  test('is an already loaded manifest rather than a nearer one on disk', () => {
    const tree: Tree = {
      'Cargo.toml': '[workspace]\nmembers = ["a/n"]',
      'a/Cargo.toml': '[workspace]\nmembers = ["n"]',
      'a/n/Cargo.toml': pkg('n'),
    };
    expect(members(load(tree))).toBe('n');
    expect(load(tree, 'a/n').root).toBe('/w/a');
  });
});

describe('an invalid workspace', () => {
  const REMEDY =
    'Alternatively, to keep it out of the workspace, add the package to the `workspace.exclude` array, ' +
    "or add an empty `[workspace]` table to the package's manifest.";
  const notAMember = (current: string, root: string, hint: string): string =>
    `current package believes it's in a workspace when it's not:\ncurrent:   ${current}\nworkspace: ${root}\n\n` +
    `this may be fixable by ${hint}: ${root}\n${REMEDY}`;

  const cases: Readonly<Record<string, readonly [Tree, string, readonly string[]]>> = {
    'a member that is not there': [
      { 'Cargo.toml': '[workspace]\nmembers = ["./x1/"]' },
      '',
      [
        'failed to load manifest for workspace member `/w/./x1/`\nreferenced by workspace at `/w/Cargo.toml`',
        'failed to read `/w/x1/Cargo.toml`',
        NOT_FOUND,
      ],
    ],
    'a folder without a manifest': [
      { 'Cargo.toml': '[workspace]\nmembers = ["x*"]', 'x1/': '' },
      '',
      [
        'failed to load manifest for workspace member `/w/x1`\nreferenced via `x*` by workspace at `/w/Cargo.toml`',
        'failed to read `/w/x1/Cargo.toml`',
        NOT_FOUND,
      ],
    ],
    'a pattern that is none': [
      { 'Cargo.toml': '[workspace]\nmembers = ["x[***"]' },
      '',
      ['could not parse pattern `/w/x[***`', 'Pattern syntax error near position 4: invalid range pattern'],
    ],
    'a dependency that is not there': [
      {
        'Cargo.toml': '[workspace]\nmembers = ["a"]',
        'a/Cargo.toml': pkg('a', ['../b']),
        'b/Cargo.toml': pkg('b', ['../c']),
      },
      '',
      [
        'failed to load manifest for workspace member `/w/a`\nreferenced by workspace at `/w/Cargo.toml`',
        'failed to load manifest for dependency `b`',
        'failed to load manifest for dependency `c`',
        'failed to read `/w/c/Cargo.toml`',
        NOT_FOUND,
      ],
    ],
    'two packages of one name': [
      {
        'Cargo.toml': '[workspace]\nmembers = ["b", "a"]',
        'a/Cargo.toml': pkg('x'),
        'b/Cargo.toml': pkg('x'),
      },
      '',
      ['two packages named `x` in this workspace:\n- /w/b/Cargo.toml\n- /w/a/Cargo.toml'],
    ],
    'two roots': [
      { 'Cargo.toml': '[workspace]\nmembers = ["a"]', 'a/Cargo.toml': `${pkg('a')}[workspace]` },
      '',
      ['multiple workspace roots found in the same workspace:\n  /w/a\n  /w'],
    ],
    'a virtual root as a dependency': [
      {
        'Cargo.toml': '[workspace]\nmembers = ["a"]',
        'a/Cargo.toml': pkg('a', ['../v']),
        'v/Cargo.toml': '[workspace]',
      },
      '',
      ['multiple workspace roots found in the same workspace:\n  /w/v\n  /w'],
    ],
    'a member beside the root': [
      { 'ws/Cargo.toml': '[workspace]\nmembers = ["../o"]', 'o/Cargo.toml': pkg('o') },
      'ws',
      [
        'workspace member `/w/o/Cargo.toml` is not hierarchically below the workspace root `/w/ws/Cargo.toml`',
      ],
    ],
    'a member of another root': [
      {
        'ws/Cargo.toml': '[workspace]\nmembers = ["../o/i"]',
        'o/Cargo.toml': '[workspace]\nmembers = ["i"]',
        'o/i/Cargo.toml': pkg('i'),
      },
      'ws',
      [
        'package `/w/o/i/Cargo.toml` is a member of the wrong workspace\n' +
          'expected: /w/ws/Cargo.toml\nactual:   /w/o/Cargo.toml',
      ],
    ],
    'a package that no member leads to': [
      { 'Cargo.toml': '[workspace]\nmembers = []', 'c/d/Cargo.toml': pkg('d') },
      'c/d',
      [
        notAMember(
          '/w/c/d/Cargo.toml',
          '/w/Cargo.toml',
          'adding `c/d` to the `workspace.members` array of the manifest located at',
        ),
      ],
    ],
    'a package that points at a root beside it': [
      { 'ws/Cargo.toml': '[workspace]', 'b/Cargo.toml': pkg('b', [], 'workspace = "../ws"') },
      'b',
      [
        notAMember(
          '/w/b/Cargo.toml',
          '/w/ws/Cargo.toml',
          'adding `../b` to the `workspace.members` array of the manifest located at',
        ),
      ],
    ],
    'a package that the root package does not use': [
      { 'Cargo.toml': `${pkg('r')}[workspace]`, 'b/Cargo.toml': pkg('b') },
      'b',
      [
        notAMember(
          '/w/b/Cargo.toml',
          '/w/Cargo.toml',
          'ensuring that this crate is depended on by the workspace root',
        ),
      ],
    ],
  };

  test.each(Object.entries(cases))('is refused: %s', (_name, [tree, start, messages]) => {
    expect(failure(tree, start)).toEqual(messages);
  });
});

describe('warnings', () => {
  const root = (more = ''): string => `[workspace]\nmembers = ["a", "b"]\n${more}`;
  const resolverNote = (edition: string, resolver: string): string =>
    `warning: virtual workspace defaulting to \`resolver = "1"\` despite one or more workspace members being on edition ${edition} which implies \`resolver = "${resolver}"\`\n` +
    '  |\n' +
    '  = note: to keep the current resolver, specify `workspace.resolver = "1"` in the workspace root\'s manifest\n' +
    `  = note: to use the edition ${edition} resolver, specify \`workspace.resolver = "${resolver}"\` in the workspace root's manifest\n` +
    '  = note: for more details see https://doc.rust-lang.org/cargo/reference/resolver.html#resolver-versions';
  const edition = (name: string, value: string): string => pkg(name).replace('2015', value);

  test('name tables of members that apply only in the root', () => {
    const tree: Tree = {
      'Cargo.toml': root('[profile.dev]\nopt-level = 1'),
      'a/Cargo.toml': `${pkg('a', [], 'resolver = "2"')}[profile.dev]\nopt-level = 1\n[patch.crates-io]\nf = { path = "f" }`,
      'b/Cargo.toml': `${pkg('b', [], 'resolver = "1"')}[replace]\n"f:1.0.0" = { path = "f" }`,
    };
    const ignored = (what: string, member: string): string =>
      `${what} for the non root package will be ignored, specify ${what} at the workspace root:\n` +
      `package:   /w/${member}/Cargo.toml\nworkspace: /w/Cargo.toml`;
    expect(load(tree).warnings).toEqual([
      ignored('profiles', 'a'),
      ignored('patch', 'a'),
      ignored('resolver', 'a'),
      ignored('replace', 'b'),
    ]);
  });

  test.each([
    ['2021', '2018', '', [resolverNote('2021', '2')]],
    ['2021', '2024', '', [resolverNote('2024', '3')]],
    ['2015', '2018', '', []],
    ['2021', '2024', 'resolver = "1"', []],
  ])('cover members of editions %s and %s below a virtual root with %j', (a, b, more, warnings) => {
    const tree: Tree = {
      'Cargo.toml': root(more),
      'a/Cargo.toml': edition('a', a),
      'b/Cargo.toml': edition('b', b),
    };
    expect(load(tree).warnings.map((warning) => formatWarning(warning))).toEqual(warnings);
  });

  test.each([
    ['[workspace]\nresolver = "2"', '2'],
    ['[workspace]', '1'],
    [`${edition('r', '2018')}[workspace]`, '1'],
    [`${edition('r', '2021')}[workspace]`, '2'],
    [`${edition('r', '2024')}[workspace]`, '3'],
    [edition('r', '2024').replace('[lib]', 'resolver = "1"\n[lib]'), '1'],
    [edition('r', '2024'), '3'],
  ])('are empty for %j, whose resolver is %s', (manifest, resolver) => {
    expect(load({ 'Cargo.toml': manifest })).toMatchObject({ resolver, warnings: [] });
  });
});

describe('other manifests', () => {
  test('are read once, and must not be virtual for loadPackage', () => {
    const loader = makeLoader({ 'Cargo.toml': '[workspace]', 'p/Cargo.toml': pkg('p') });
    expect(loader.load('/w/p/Cargo.toml')).toBe(loader.loadPackage('/w/p/Cargo.toml'));
    expect(() => loader.loadPackage('/w/Cargo.toml')).toThrow(
      'found a virtual manifest at `/w/Cargo.toml` instead of a package manifest',
    );
  });

  test('of a missing path source fail with an error that names the source', () => {
    const loader = makeLoader({});
    const messages: string[] = [];
    try {
      loader.loadPathSource(loader.sources.forPath('/w/nope'));
    } catch (error) {
      for (let at: unknown = error; at instanceof Error; at = at.cause) messages.push(at.message);
    }
    expect(messages).toEqual(['unable to update /w/nope', 'failed to read `/w/nope/Cargo.toml`', NOT_FOUND]);
  });

  test('of a git repository belong to its source', () => {
    const loader = makeLoader({
      'co/Cargo.toml': '[workspace]\n[workspace.package]\nlicense = "MIT"',
      'co/p/Cargo.toml': pkg('p', ['../q'], 'license.workspace = true'),
    });
    const source = loader.sources.forGit('https://h/r', { kind: 'default' }, '0123456789');
    const { summary, license } = loader.loadPackage('/w/co/p/Cargo.toml', source);
    expect(summary.id.source).toBe(source);
    expect(summary.dependencies[0]?.source).toBe(source);
    expect(license).toBe('MIT');
  });

  test('that inherit from each other are refused', () => {
    const tree: Tree = {
      'a/Cargo.toml': pkg('a', [], 'workspace = "../b"\nlicense.workspace = true'),
      'b/Cargo.toml': pkg('b', [], 'workspace = "../a"\nlicense.workspace = true'),
    };
    expect(failure(tree, 'a').at(-1)).toBe('manifest `/w/a/Cargo.toml` inherits from itself');
  });

  test('must be UTF-8', () => {
    const files = new MemoryFiles({});
    files.read = () => Buffer.of(0xff);
    const loader = new ManifestLoader({
      files,
      sources: new SourceTable(),
      registry: () => null as never,
      cargoHome: '/h',
    });
    expect(() => loader.load('/w/Cargo.toml')).toThrow('path at `/w/Cargo.toml` was not valid utf-8');
  });
});
