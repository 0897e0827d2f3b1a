import { expect, it } from 'vitest';
import { readStatedLicense } from '../../../src/server/source/stated-license.ts';
import type { StatedLicense } from '../../../src/server/store/mirror-status.ts';
import { buildCrate, type CrateDecl } from '../../helpers/crate.ts';

function licenseOf(more: Partial<CrateDecl>): StatedLicense {
  const { archive } = buildCrate({ name: 'abc', version: '1.0.0', ...more }, () => '');
  return readStatedLicense({
    bytes: new Uint8Array(archive ?? Buffer.alloc(0)),
    options: { topFolder: 'abc-1.0.0', maxUnpackedBytes: 1e7, maxFiles: 100 },
  });
}

it.each([
  ['license = " MIT "', { kind: 'expression', text: 'MIT' }],
  ['license = "MIT"\nlicense-file = "L"', { kind: 'expression', text: 'MIT' }],
  ['license-file = "L"', { kind: 'file' }],
  ['license = ""', { kind: 'none' }],
  ['license = 5', { kind: 'none' }],
  ['', { kind: 'none' }],
  [`license = "${'M'.repeat(2001)}"`, { kind: 'unreadable' }],
])('reads %j', (extra, license) => {
  expect(licenseOf({ extra })).toEqual(license);
});

it('reads old manifests, which have `[project]`', () => {
  expect(licenseOf({ manifest: '[project]\nname = "abc"\nlicense = "ISC"' })).toMatchObject({ text: 'ISC' });
});

it.each(['[package', 'package = 1', '[lib]'])('cannot read the manifest %s', (manifest) => {
  expect(licenseOf({ manifest })).toEqual({ kind: 'unreadable' });
});

it('refuses an archive with a second manifest, of which cargo would use the other one', () => {
  const entries = [{ path: 'abc-1.0.0/Cargo.toml', text: '[package]\nlicense = "MIT"' }];
  expect(() => licenseOf({ entries })).toThrow();
});
