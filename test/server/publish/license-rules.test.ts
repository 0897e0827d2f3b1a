import { expect, it } from 'vitest';
import { LicenseRules } from '../../../src/server/publish/license-rules.ts';
import type { StatedLicense } from '../../../src/server/store/mirror-status.ts';

/** The rule that refuses a license; null if it is accepted. */
function ruleAgainst(
  license: string | StatedLicense,
  rules: { readonly allow?: readonly string[]; readonly deny?: readonly string[] },
): string | null {
  const { allow = [], deny = [] } = rules;
  const stated: StatedLicense = typeof license === 'string' ? { kind: 'expression', text: license } : license;
  return (
    new LicenseRules({ allowedLicenses: allow, deniedLicenses: deny }).reasonToRefuse(stated)?.rule ?? null
  );
}

const ALLOW = ['MIT', 'Apache-2.0', 'GPL-3.0-or-later', 'Apache-2.0 WITH LLVM-exception', 'LicenseRef-Acme'];

it.each([
  'MIT',
  'mit',
  'MIT OR GPL-2.0-only',
  'GPL-2.0-only/MIT',
  'MIT AND Apache-2.0',
  'MIT AND (Zlib OR Apache-2.0)',
  'Zlib OR MIT AND Apache-2.0',
  'Apache-2.0+',
  'GPL-3.0+',
  'Apache-2.0 WITH LLVM-exception',
  'licenseref-acme',
])('accepts `%s`, which allowed licenses satisfy', (license) => {
  expect(ruleAgainst(license, { allow: ALLOW })).toBe(null);
});

it.each([
  'Zlib',
  'MIT AND Zlib',
  '(MIT OR Zlib) AND Zlib',
  'MIT WITH LLVM-exception',
  'GPL-3.0-with-GCC-exception',
  'GPL-3.0-only',
  'GPL-3.0',
  'MIT or Apache-2.0',
  'MIT, Apache-2.0',
  'Apache 2.0',
  '('.repeat(1000),
])('refuses `%s`, which allowed licenses do not satisfy', (license) => {
  expect(ruleAgainst(license, { allow: ALLOW })).toBe('--allow-license');
});

it.each([
  ['AGPL-3.0-only', '--deny-license AGPL-3.0'],
  ['AGPL-3.0+', '--deny-license AGPL-3.0'],
  ['agpl-3.0-or-later WITH some-exception', '--deny-license AGPL-3.0'],
  ['MIT AND AGPL-3.0', '--deny-license AGPL-3.0'],
  ['AGPL-3.0 OR SSPL-1.0', '--deny-license AGPL-3.0'],
  ['SSPL-1.0/AGPL-3.0', '--deny-license SSPL-1.0'],
  ['GPL-2.0-only', '--deny-license GPL-2.0-only'],
  ['not an expression', '--deny-license'],
  ['GPLv3', '--deny-license'],
  ['BSD AND MIT', '--deny-license'],
  ['GPL-3.0-with-GCC-exception', '--deny-license GPL-3.0'],
  ['MIT OR GPLv3', null],
  ['mit+ AND LicenseRef-Acme', null],
  ['DocumentRef-spdx:LicenseRef-Acme', null],
  ['GPL-2.0-with-classpath-exception', '--deny-license GPL-2.0-only'],
  ['MIT OR AGPL-3.0', null],
  ['GPL-2.0-or-later', null],
  ['Zlib', null],
])('a denied license must not be needed: %s', (license, rule) => {
  expect(ruleAgainst(license, { deny: ['AGPL-3.0', 'SSPL-1.0', 'GPL-2.0-only', 'GPL-3.0'] })).toBe(rule);
});

it('needs a license that is both allowed and not denied', () => {
  const rules = { allow: ['MIT', 'ISC'], deny: ['ISC'] };
  expect(ruleAgainst('ISC OR Zlib', rules)).toBe('--deny-license ISC');
  expect(ruleAgainst('ISC OR MIT', rules)).toBe(null);
});

it('treats a missing license as neither allowed nor denied, and an archive that cannot be read as both', () => {
  const results = (['file', 'none', 'unreadable'] as const).map((kind) => [
    ruleAgainst({ kind }, { allow: ['MIT'] }),
    ruleAgainst({ kind }, { deny: ['MIT'] }),
  ]);
  expect(results).toEqual([
    ['--allow-license', null],
    ['--allow-license', null],
    ['--allow-license', '--deny-license'],
  ]);
});

it('needs no license without rules', () => {
  expect(new LicenseRules({ allowedLicenses: [], deniedLicenses: [] }).hasRules).toBe(false);
  expect(new LicenseRules({ allowedLicenses: [], deniedLicenses: ['MIT'] }).hasRules).toBe(true);
});

it.each(['', 'Mit', 'GLP-3.0', 'MIT OR ISC', 'MIT WITH nothing', 'LicenseRef-a OR b'])(
  'refuses the rule `%s`',
  (text) => {
    expect(() => new LicenseRules({ allowedLicenses: [], deniedLicenses: [text] })).toThrow(
      `invalid value \`${text}\` for \`--deny-license\`: expected one license of the SPDX list`,
    );
  },
);
