import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/core/manifest/manifest.ts';
import { parsePackage } from './manifest-text.ts';

const manifest = (edition: string, rest = ''): string =>
  `[package]\nname = "a-p"\nedition = "${edition}"\n${rest}`;

/** Returns the targets as `kind name path`. */
function targetsOf(text: string, files: string[]): string[] {
  return parsePackage(text, { files }).targets.map(
    ({ kind, name, srcPath }) => `${kind} ${name} ${srcPath.replace('/p/', '')}`,
  );
}

function only(text: string): Target {
  const [target, ...others] = parsePackage(text).targets;
  if (target === undefined || others.length > 0) throw new Error('one target was expected');
  return target;
}

describe('target discovery', () => {
  const files = [
    'src/lib.rs',
    'src/main.rs',
    'src/bin/z.rs',
    'src/bin/b/main.rs',
    'src/bin/c/other.rs',
    'src/bin/.hidden.rs',
    'src/bin/dot.name.rs',
    'src/bin/note.txt',
    'examples/e.rs',
    'tests/t/main.rs',
    'benches/b.rs',
    'build.rs',
  ];

  it('finds the standard layout in the order lib, bins, examples, tests, benches, build script', () => {
    expect(targetsOf(manifest('2021'), files)).toEqual([
      'lib a_p src/lib.rs',
      'bin a-p src/main.rs',
      'bin b src/bin/b/main.rs',
      'bin dot.name src/bin/dot.name.rs',
      'bin z src/bin/z.rs',
      'example e examples/e.rs',
      'test t tests/t/main.rs',
      'bench b benches/b.rs',
      'custom-build build-script-build build.rs',
    ]);
  });

  it('can be turned off', () => {
    const off =
      'autolib = false\nautobins = false\nautoexamples = false\nautotests = false\nautobenches = false\n';
    expect(targetsOf(manifest('2021', `${off}build = false\n[[bin]]\nname = "z"\n`), files)).toEqual([
      'bin z src/bin/z.rs',
    ]);
  });

  it('skips targets that the manifest lists by name or by path', () => {
    const bins = '[[bin]]\nname = "q"\npath = "./src/bin/z.rs"\n[[bin]]\nname = "b"\npath = "x.rs"\n';
    expect(targetsOf(manifest('2018', bins), files).filter((text) => text.startsWith('bin'))).toEqual([
      'bin a-p src/main.rs',
      'bin b x.rs',
      'bin dot.name src/bin/dot.name.rs',
      'bin q src/bin/z.rs',
    ]);
  });

  it('is off in the 2015 edition for kinds that the manifest lists, unless it is turned on', () => {
    const bin = '[[bin]]\nname = "q"\npath = "x.rs"\n';
    const bins = (text: string): string[] => targetsOf(text, ['src/main.rs', 'tests/t.rs']);
    expect(bins(manifest('2015', bin))).toEqual(['bin q x.rs', 'test t tests/t.rs']);
    expect(bins(manifest('2015', `autobins = true\n${bin}`))).toEqual([
      'bin a-p src/main.rs',
      'bin q x.rs',
      'test t tests/t.rs',
    ]);
  });

  it('keeps the order of the manifest only if every target has a path', () => {
    const order = (bins: string): string[] =>
      targetsOf(manifest('2021', `autobins = false\n${bins}`), ['src/bin/a.rs']);
    expect(order('[[bin]]\nname = "b"\npath = "b.rs"\n[[bin]]\nname = "a"\npath = "a.rs"\n')).toEqual([
      'bin b b.rs',
      'bin a a.rs',
    ]);
    expect(order('[[bin]]\nname = "b"\npath = "b.rs"\n[[bin]]\nname = "a"\n')).toEqual([
      'bin a src/bin/a.rs',
      'bin b b.rs',
    ]);
  });

  it.each([
    ['[lib]\nname = "zz"\n', 'src/zz.rs', 'lib zz src/zz.rs'],
    ['[[bin]]\nname = "foo"\n', 'src/foo.rs', 'bin foo src/foo.rs'],
    ['[[bin]]\nname = "foo"\n', 'src/main.rs', 'bin foo src/main.rs'],
    ['[[bin]]\nname = "foo"\n', 'src/bin/main.rs', 'bin foo src/bin/main.rs'],
    ['[[bench]]\nname = "bench"\n[lib]\npath = "x.rs"\n', 'src/bench.rs', 'bench bench src/bench.rs'],
  ])('accepts legacy paths in the 2015 edition: %j with %s', (rest, file, expected) => {
    expect(targetsOf(manifest('2015', rest), [file])).toContain(expected);
  });

  it('drops a test or example without a path and a file, and lists it as a build error', () => {
    const written =
      '[[test]]\nname = "t"\n[[example]]\nname = "e"\n[[bench]]\nname = "b"\npath = "gone.rs"\n';
    const { targets, buildErrors } = parsePackage(manifest('2021', written));
    expect(targets.map(({ name }) => name)).toEqual(['a_p', 'b']);
    expect(buildErrors).toEqual([
      "can't find `e` example at `examples/e.rs` or `examples/e/main.rs`. Please specify example.path if you want to use a non-default path.",
      "can't find `t` test at `tests/t.rs` or `tests/t/main.rs`. Please specify test.path if you want to use a non-default path.",
    ]);
  });

  it('normalizes paths lexically', () => {
    const paths = ['./x.rs', 'a/../../x.rs', '/abs/./y/../x.rs'];
    const bins = paths.map((path, i) => `[[bin]]\nname = "b${i}"\npath = "${path}"\n`).join('');
    expect(
      parsePackage(manifest('2021', bins))
        .targets.slice(1)
        .map(({ srcPath }) => srcPath),
    ).toEqual(['/p/x.rs', '/p/../x.rs', '/abs/x.rs']);
  });
});

describe('build scripts', () => {
  it.each([
    ['', ['build.rs'], ['build-script-build /p/build.rs']],
    ['', ['build.rs/file'], []],
    ['build = true\n', [], ['build-script-build /p/build.rs']],
    ['build = false\n', ['build.rs'], []],
    ['build = "b/../my.build.rs"\n', [], ['build-script-my.build /p/my.build.rs']],
  ])('are found with %j and the files %j', (line, files, scripts) => {
    const { targets } = parsePackage(manifest('2021', line), { files: ['src/lib.rs', ...files] });
    const found = targets.filter(({ kind }) => kind === 'custom-build');
    expect(found.map(({ name, srcPath }) => `${name} ${srcPath}`)).toEqual(scripts);
  });
});

describe('target settings', () => {
  it.each<[string, Partial<Target>]>([
    ['[lib]', { kinds: ['lib'], crateTypes: ['lib'], doc: true, doctest: true, test: true }],
    ['[lib]\nproc-macro = true', { kinds: ['proc-macro'], crateTypes: ['proc-macro'], doctest: true }],
    ['[lib]\ncrate-type = ["proc-macro"]', { kinds: ['proc-macro'] }],
    ['[lib]\ncrate_type = ["weird", "lib"]', { kinds: ['weird', 'lib'], crateTypes: ['weird', 'lib'] }],
    ['[lib]\ncrate-type = ["cdylib"]', { kinds: ['cdylib'], doctest: false }],
    ['[lib]\ncrate-type = ["cdylib", "rlib"]', { doctest: true }],
    ['[lib]\ndoc = false\ndoctest = false\ntest = false', { doc: false, doctest: false, test: false }],
    ['[lib]\nrequired-features = ["a"]\nedition = "2015"', { requiredFeatures: null, edition: '2015' }],
    ['[lib]\nedition = "future"', { edition: 'future' }],
  ])('are read for the library: %j', (lib, expected) => {
    expect(only(manifest('2021', lib))).toMatchObject(expected);
  });

  it.each<[string, Partial<Target>]>([
    ['[[bin]]\n', { kinds: ['bin'], crateTypes: ['bin'], doc: true, doctest: false, test: true }],
    ['[[test]]\n', { kinds: ['test'], crateTypes: ['bin'], doc: false, doctest: false, test: true }],
    ['[[bench]]\n', { kinds: ['bench'], crateTypes: ['bin'], doc: false, doctest: false, test: false }],
    ['[[example]]\n', { kinds: ['example'], crateTypes: ['bin'], doc: false, doctest: false, test: false }],
    ['[[example]]\ncrate-type = ["bin", "bin"]\n', { kinds: ['example'], crateTypes: ['bin'] }],
    ['[[example]]\ncrate-type = ["bin", "lib"]\n', { kinds: ['example'], crateTypes: ['bin', 'lib'] }],
    ['[[bench]]\ntest = true\ndoc = true\ndoctest = true\n', { test: true, doc: true, doctest: false }],
    ['[[test]]\nrequired-features = []\n', { requiredFeatures: [] }],
  ])('are read for other targets: %j', (table, expected) => {
    const text = manifest('2021', `${table}name = "x"\npath = "x.rs"\n`);
    expect(parsePackage(text).targets.at(-1)).toMatchObject(expected);
  });
});
