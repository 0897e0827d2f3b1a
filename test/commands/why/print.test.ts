import { expect, it } from 'vitest';
import type { WhyDependency } from '../../../src/commands/why/document.ts';
import { whyText } from '../../../src/commands/why/print.ts';
import { stripStyles } from '../../../src/io/terminal/style.ts';

const NORMAL: WhyDependency = {
  kind: 'normal',
  requirement: '^1',
  from: 'registry',
  rename: null,
  optional: false,
  features: [],
  target: null,
};

/** Returns the text for one path from `p` to `x`, whose last step has these declarations. */
function textOf(dependencies: readonly WhyDependency[], width: number | null, usesUnicode = true): string {
  const step = { id: 'x', name: 'x', version: '1.0.0', dependencies };
  const start = { id: 'p', name: 'p', version: '0.1.0', dependencies: [] };
  const { id, name, version } = step;
  const entry = { id, name, version, workspace_member: false, paths: [[start, step]], complete: true };
  const result = {
    document: { version: 1, packages: [entry] },
    titles: ['x v1.0.0'],
    unneeded: [],
    moreFlags: '',
  } as const;
  return stripStyles(whyText(result, { usesUnicode, width }));
}

it.each([
  [NORMAL, '^1'],
  [{ ...NORMAL, from: 'git', requirement: '*' }, 'git'],
  [{ ...NORMAL, kind: 'dev', rename: 'y' }, '^1, dev, as `y`'],
  [
    { ...NORMAL, optional: true, features: ['a', 'b'], target: 'cfg(unix)' },
    '^1, features `a`, `b`, on cfg(unix)',
  ],
  [{ ...NORMAL, optional: true }, '^1, optional'],
] as const)('describes a declaration: %#', (dependency, details) => {
  expect(textOf([dependency], null)).toBe(`x v1.0.0\n\n  p v0.1.0\n  → x v1.0.0  ${details}\n`);
});

it('separates several declarations', () => {
  expect(textOf([NORMAL, { ...NORMAL, kind: 'build' }], null)).toContain('→ x v1.0.0  ^1; ^1, build\n');
});

it('puts details that do not fit on their own line, and draws arrows in ASCII', () => {
  const dependency = { ...NORMAL, target: `cfg(any(${'windows, '.repeat(4)}unix))` };
  const text = textOf([dependency], 60, false);
  expect(text).toBe(`x v1.0.0\n\n  p v0.1.0\n  -> x v1.0.0\n      ^1, on ${dependency.target}\n`);
  expect(textOf([dependency], 80, false)).toContain('-> x v1.0.0  ^1, on');
});
