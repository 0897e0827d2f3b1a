import { expect, it } from 'vitest';
import { readTreeFlags, type TreeFlags } from '../../../src/commands/tree/parse-flags.ts';
import { formatWarning } from '../../../src/core/errors/warning.ts';
import { reportTo } from '../../../src/core/report/report.ts';

function read(values: Readonly<Record<string, readonly string[]>>): {
  readonly flags: TreeFlags;
  readonly said: readonly string[];
} {
  const said: string[] = [];
  const report = reportTo({ warning: (warning) => said.push(formatWarning(warning)) });
  return { flags: readTreeFlags(new Map(Object.entries(values)), { report, env: {} }), said };
}

const edges = (...words: readonly string[]): string => {
  const { kinds, showsFeatures, hidesProcMacros } = read({ edges: words }).flags;
  return [...kinds, ...(showsFeatures ? ['+features'] : []), ...(hidesProcMacros ? ['-macros'] : [])].join(
    ' ',
  );
};

it.each([
  [[], 'normal build dev'],
  [['features'], 'normal build dev +features'],
  [['features', 'normal'], 'normal +features'],
  [['all'], 'normal build dev +features'],
  [['dev', 'normal'], 'normal dev'],
  [['no-dev'], 'normal build'],
  [['no-dev', 'no-normal', 'features'], 'build +features'],
  [['no-proc-macro'], 'normal build dev -macros'],
  [['no-proc-macro', 'build'], 'build -macros'],
  // Given twice, `features` no longer counts as the only kind.
  [['features', 'features'], '+features'],
])('reads --edges %s', (words, expected) => {
  expect(edges(...words)).toBe(expected);
});

it.each([
  [['no-dev', 'build'], '`build` dependency kind cannot be mixed with "no-normal", "no-build", or "no-dev"'],
  [['public'], '`--edges public` requires `-Zunstable-options`'],
])('refuses --edges %s', (words, message) => {
  expect(() => edges(...words)).toThrow(message);
});

it('warns about deprecated flags in a fixed order and applies them', () => {
  const { flags, said } = read({
    'no-dev-dependencies': [''],
    'all-targets': [''],
    all: [''],
    'prefix-depth': [''],
  });
  expect(said.map((text) => text.split('\n')[0])).toEqual([
    'warning: the --prefix-depth flag has been changed to --prefix=depth',
    'warning: the `tsreg tree` --all flag has been changed to --no-dedupe, and may be removed in a future version',
    'warning: the --all-targets flag has been changed to --target=all',
    'warning: the --no-dev-dependencies flag has changed to -e=no-dev',
  ]);
  expect(flags).toMatchObject({
    prefix: 'depth',
    repeats: true,
    targets: ['all'],
    packages: { workspace: true },
  });
  expect([...flags.kinds]).toEqual(['normal', 'build']);
});

it.each([
  ['0', 0],
  ['+7', 7],
  ['4294967295', 4_294_967_295],
])('reads --depth %s', (text, maxDepth) => {
  expect(read({ depth: [text] }).flags).toMatchObject({ maxDepth, membersOnly: false });
});

it.each(['', 'x', '-1', '1.5', '4294967296', 'Workspace'])('refuses --depth %j', (text) => {
  expect(() => read({ depth: [text] })).toThrow(`but \`${text}\` is unknown`);
});

it('reads -i -p NAME as -i NAME, and refuses -i without a package', () => {
  expect(read({ invert: [], package: ['a', 'b'] }).flags.invert).toEqual(['a', 'b']);
  expect(() => read({ invert: [] })).toThrow('a package name is required for `-i` but none was supplied');
  expect(() => read({ invert: [], package: ['a'], workspace: [''] })).toThrow('a package name is required');
});

it('refuses --target without a target', () => {
  expect(() => read({ target: [] })).toThrow('`--target` needs a target');
});
