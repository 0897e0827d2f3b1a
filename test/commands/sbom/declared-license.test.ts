import { expect, it } from 'vitest';
import { declaredLicense } from '../../../src/commands/sbom/declared-license.ts';

it.each([
  ['MIT', 'MIT'],
  ['MIT/Apache-2.0', 'MIT OR Apache-2.0'],
  [' (MIT OR Apache-2.0) AND Unicode-3.0 ', '(MIT OR Apache-2.0) AND Unicode-3.0'],
  ['Apache-2.0 WITH LLVM-exception', 'Apache-2.0 WITH LLVM-exception'],
  ['MIT/LicenseRef-Own-1.0', 'MIT OR LicenseRef-Own-1.0'],
])('reads the expression `%s`', (license, expression) => {
  expect(declaredLicense({ license, license_file: 'LICENSE' })).toEqual({ kind: 'expression', expression });
});

it.each(['Our License', 'MIT OR Unknown-1.0', 'MIT OR', 'MIT\u0000', 'MIT AND DocumentRef-a:LicenseRef-b'])(
  'takes `%s` as a name',
  (license) => {
    expect(declaredLicense({ license, license_file: null })).toEqual({ kind: 'named', name: license });
  },
);

it('names the file of a license, and returns null without any license', () => {
  expect(declaredLicense({ license: null, license_file: 'LICENSE.txt' })).toEqual({
    kind: 'named',
    name: 'SEE LICENSE IN LICENSE.txt',
  });
  expect(declaredLicense({ license: '  ', license_file: null })).toBeNull();
});
