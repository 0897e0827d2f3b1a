import { expect, it } from 'vitest';
import { makePackageId } from '../../../src/core/package-id/package-id.ts';
import { parsePackageIdSpec } from '../../../src/core/package-id/package-id-spec.ts';
import { queryPackageIdSpec } from '../../../src/core/package-id/query-package-id-spec.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { parseVersion } from '../../../src/core/version/version.ts';

const table = new SourceTable();
const alt = table.forRegistryIndex('https://h/i');
const ids = [
  makePackageId('aa', parseVersion('1.0.0'), table.cratesIo()),
  makePackageId('aa', parseVersion('2.0.0'), table.cratesIo()),
  makePackageId('aa', parseVersion('2.0.0'), alt),
  makePackageId('bbbb', parseVersion('1.0.0'), alt),
];

const query = (text: string): string => {
  const { name, version, source } = queryPackageIdSpec(parsePackageIdSpec(text), ids);
  return `${name} ${version.text} ${source.url}`;
};

it('finds the only package that matches', () => {
  expect(query('bbbb')).toBe('bbbb 1.0.0 https://h/i');
  expect(query('aa@1')).toContain('aa 1.0.0');
  expect(query('registry+https://h/i#aa@2.0.0')).toBe('aa 2.0.0 https://h/i');
});

it.each([
  [
    'aa',
    'specification `aa` is ambiguous\nhelp: re-run this command with one of the following specifications' +
      '\n  aa@1.0.0\n  registry+https://github.com/rust-lang/crates.io-index#aa@2.0.0\n  registry+https://h/i#aa@2.0.0',
  ],
  [
    'bbb',
    'package ID specification `bbb` did not match any packages\n\nhelp: a package with a similar name exists: `bbbb`',
  ],
  ['zzzzzzzz', 'package ID specification `zzzzzzzz` did not match any packages'],
  [
    'bbbb@3.0.0',
    'package ID specification `bbbb@3.0.0` did not match any packages' +
      '\nhelp: there are similar package ID specifications:\n\n  bbbb@1.0.0',
  ],
  [
    'https://x/y#bbbb',
    'package ID specification `https://x/y#bbbb` did not match any packages' +
      '\nhelp: there are similar package ID specifications:\n\n  bbbb@1.0.0',
  ],
])('reports why %s does not match exactly one package', (text, message) => {
  expect(() => query(text)).toThrow(expect.objectContaining({ message, code: 'not-found' }));
});
