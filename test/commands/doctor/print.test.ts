import { expect, it } from 'vitest';
import { check } from '../../../src/commands/doctor/check.ts';
import { doctorText, summaryText } from '../../../src/commands/doctor/print.ts';
import { stripStyles } from '../../../src/io/terminal/style.ts';

const OPTIONS = { isQuiet: false, usesUnicode: true, width: null };
const CHECKS = [
  check('git', { status: 'ok', text: 'git 2.0' }),
  check('cargo', { status: 'info', text: 'no cargo' }),
  check('registry', { status: 'error', subject: 'a', text: 'a: line 1\nline 2\n', help: 'run `x`' }),
  check('registry', { status: 'warning', subject: 'b', text: 'b\u001b[2J\u0007' }),
];
const text = (options: Partial<typeof OPTIONS> = {}): string =>
  stripStyles(doctorText(CHECKS, { ...OPTIONS, ...options }));

it('puts the checks under headings, and help below each', () => {
  expect(text()).toBe(
    'Programs\n  ✓ git 2.0\n  - no cargo\nRegistries\n  ✗ a: line 1\n    line 2\n    help: run `x`\n  ! b\n',
  );
});

it('shows only warnings and errors if it is quiet', () => {
  expect(text({ isQuiet: true })).toMatch(/^Registries\n {2}✗ a/);
  expect(doctorText(CHECKS.slice(0, 2), { ...OPTIONS, isQuiet: true })).toBe('');
});

it('uses ASCII marks on terminals without other characters', () => {
  expect(text({ usesUnicode: false })).toMatch(/^[ -~\n]*$/);
});

it('breaks lines at the width of the terminal, but no words', () => {
  const path = `/${'x'.repeat(30)}`;
  const long = [
    check('home', { status: 'error', text: `the folder ${path} is wrong`, help: 'a b c d e f g h i j' }),
  ];
  expect(stripStyles(doctorText(long, { ...OPTIONS, width: 20 }))).toBe(
    `Folders\n  ✗ the folder\n    ${path}\n    is wrong\n    help: a b c d e\n    f g h i j\n`,
  );
});

it('summarizes errors and warnings', () => {
  expect(summaryText(CHECKS)).toBe('1 problem, 1 warning');
  expect(summaryText([...CHECKS, ...CHECKS])).toBe('2 problems, 2 warnings');
  expect(summaryText(CHECKS.slice(0, 2))).toBe('no problems');
});
