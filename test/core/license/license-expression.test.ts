import { expect, it } from 'vitest';
import { licenseProblem, parseLicense } from '../../../src/core/license/license-expression.ts';

const isFine = (expression: string, onlyKnown: boolean): boolean =>
  licenseProblem(expression, { onlyKnown }) === null;

it.each([
  'MIT',
  'MIT OR Apache-2.0',
  'MIT/Apache-2.0',
  'MIT / Apache-2.0',
  '(MIT OR Apache-2.0) AND Unicode-3.0',
  'GPL-2.0+',
  'GPL-3.0',
  'Hippocratic-3.0-core',
  'GPL-2.0-or-later',
  'Apache-2.0 WITH LLVM-exception',
  'LGPL-3.0-or-later AND (BSD-2-Clause OR (ISC AND 0BSD)) ',
  '(MIT OR Apache-2.0) AND LicenseRef-Own-1.0',
  'DocumentRef-a:LicenseRef-b',
])('accepts %s as an expression of known licences', (expression) => {
  expect(isFine(expression, true)).toBe(true);
});

it.each(['My-Own', 'LicenseRef-', 'LicenseRef-Own+', 'MIT WITH my-exception', 'DocumentRef-a:MIT', 'mit'])(
  'accepts %s only if unknown licences are allowed',
  (expression) => {
    expect(isFine(expression, false)).toBe(true);
    expect(isFine(expression, true)).toBe(false);
  },
);

it.each([
  '',
  ' ',
  'MIT OR',
  'OR MIT',
  'MIT Apache-2.0',
  '(MIT',
  'MIT)',
  '()',
  'MIT WITH',
  'MIT WITH OR',
  'MIT, Apache',
  'MIT or Apache-2.0',
  'MIT//ISC',
  '<script>',
  '('.repeat(10_000),
])('refuses %s', (expression) => {
  expect(isFine(expression, false)).toBe(false);
});

it('parses AND before OR, and parentheses before both', () => {
  const license = (id: string, exception: string | null = null) => ({ kind: 'license', id, exception });
  expect(parseLicense('MIT/ISC AND (0BSD OR GPL-2.0+ WITH x)', { onlyKnown: false })).toEqual({
    kind: 'any',
    parts: [
      license('MIT'),
      {
        kind: 'all',
        parts: [license('ISC'), { kind: 'any', parts: [license('0BSD'), license('GPL-2.0+', 'x')] }],
      },
    ],
  });
});
