import { expect, it } from 'vitest';
import { readManifestFacts, readPackageKind } from '../../../src/server/source/manifest-facts.ts';

it('returns the edition, the library and the programs', () => {
  const text =
    '[package]\nedition = "2021"\n[lib]\nname = "reef"\n[[bin]]\nname = "reefd"\n[[bin]]\nname = "reefctl"\n';
  expect(readManifestFacts(text)).toEqual({
    edition: '2021',
    license: null,
    targets: ['lib reef', 'bin reefd', 'bin reefctl'],
    description: null,
  });
  expect(readManifestFacts(`[package]\ndescription = "${'x'.repeat(2001)}"\n`).description).toBeNull();
  expect(readManifestFacts('[lib]\nproc-macro = true\n').targets).toEqual(['proc-macro']);
});

it.each([
  ['license = "MIT"\nlicense-file = "LICENSE"', 'MIT'],
  ['license-file = "LICENSE"', 'LICENSE'],
  ['license.workspace = true', null],
  [`license = "${'x'.repeat(2001)}"`, null],
])('finds the license in `%s`', (text, license) => {
  expect(readManifestFacts(`[package]\n${text}\n`).license).toBe(license);
});

it('returns nothing for text of another form', () => {
  const texts = [
    '',
    'x',
    'package = 1\nlib = []\nbin = "x"',
    'bin = [1]',
    '[package]\nedition.workspace = true',
  ];
  for (const text of texts)
    expect(readManifestFacts(text), text).toEqual({
      edition: null,
      license: null,
      targets: [],
      description: null,
    });
});

it.each([
  ['[lib]\nname = "a"', [], 'library'],
  ['', ['src/lib.rs', 'src/bins/a.rs', 'benches/main.rs'], 'library'],
  ['[[bin]]\nname = "a"', [], 'programs'],
  ['', ['src/main.rs'], 'programs'],
  ['', ['src/bin/a.rs'], 'programs'],
  ['', ['src/bin/a/main.rs'], 'programs'],
  ['', ['src/bin/a/other.rs'], ''],
  ['', ['src/lib.rs', 'src/main.rs'], 'library programs'],
  ['[package]\nautobins = false', ['src/lib.rs', 'src/main.rs'], 'library'],
  ['[package]\nautolib = false\n[[bin]]\nname = "a"', ['src/lib.rs'], 'programs'],
  ['not TOML', ['src/lib.rs'], 'library'],
])('finds in `%s` with the files %j: %s', (text, paths, kind) => {
  const { hasLibrary, hasPrograms } = readPackageKind(text, paths);
  expect([hasLibrary && 'library', hasPrograms && 'programs'].filter(Boolean).join(' ')).toBe(kind);
});
