import { expect, it } from 'vitest';
import { type PackageSummary, readPackageSummary } from '../../../src/server/source/package-summary.ts';
import { buildCrate, type CrateDecl } from '../../helpers/crate.ts';

function summaryOf(more: Partial<CrateDecl>): PackageSummary {
  const { archive } = buildCrate({ name: 'abc', version: '1.0.0', ...more }, () => '');
  const limits = { maxUnpackedBytes: 1e7, maxFiles: 100 };
  return readPackageSummary({
    bytes: new Uint8Array(archive ?? Buffer.alloc(0)),
    options: { topFolder: 'abc-1.0.0', ...limits },
  });
}

const NOTHING = {
  ...{ description: null, license: null, homepage: null, documentation: null, repository: null },
  ...{ readmePath: null, readme: null },
};

it('reads the facts and the readme that the manifest states', () => {
  const extra =
    'description = " Loud "\nlicense = "MIT"\nhomepage = "h"\ndocumentation = "d"\nrepository = "r"\nreadme = "./docs/READ.md"';
  const files = { 'README.md': 'not this one', 'docs/READ.md': 'Hello' };
  expect(summaryOf({ extra, files })).toEqual({
    ...{ description: 'Loud', license: 'MIT', homepage: 'h', documentation: 'd', repository: 'r' },
    ...{ readmePath: 'docs/READ.md', readme: 'Hello' },
  });
});

it('finds a readme with a usual name, unless the manifest rules it out', () => {
  expect(summaryOf({ files: { README: 'Old' } })).toMatchObject({ readmePath: 'README', readme: 'Old' });
  expect(summaryOf({ files: { README: 'Old' }, extra: 'readme = false' })).toEqual(NOTHING);
  expect(summaryOf({ extra: 'readme = "../outside.md"' })).toEqual(NOTHING);
});

it('leaves out what is too large or has an unexpected form', () => {
  const description = `description = "${'x'.repeat(2001)}"\nlicense = 5`;
  expect(summaryOf({ extra: description })).toEqual(NOTHING);
  expect(summaryOf({ manifest: '[package' })).toEqual(NOTHING);
  expect(summaryOf({ manifest: 'package = 1' })).toEqual(NOTHING);
  const large = { 'README.md': 'x'.repeat(512 * 1024 + 1) };
  expect(summaryOf({ files: large })).toMatchObject({ readmePath: 'README.md', readme: null });
  expect(summaryOf({ files: { 'README.md': 'a\0b' } })).toMatchObject({ readme: null });
});

it('refuses what is not an archive', () => {
  expect(() => summaryOf({ archive: 'garbage' })).toThrow();
});
