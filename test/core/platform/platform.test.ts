import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostTriple } from '../../../src/core/platform/host-triple.ts';
import { parsePlatform } from '../../../src/core/platform/parse-platform.ts';
import {
  comparePlatforms,
  formatCfgExpr,
  matchesPlatform,
  type CfgExpr,
} from '../../../src/core/platform/platform.ts';
import { withRustflags } from '../../../src/core/platform/rustflags.ts';
import { targetCfgs, targetTriples } from '../../../src/core/platform/target-table.ts';

test.each([
  ['x86_64-unknown-linux-gnu', 'x86_64-unknown-linux-gnu'],
  ['', ''],
  ['é²١', 'é²١'],
  ['cfg( all( unix,target_os="linux" , ) )', 'cfg(all(unix, target_os = "linux"))'],
  ['cfg(any())', 'cfg(any())'],
  ['cfg(not(a="b"))', 'cfg(not(a = "b"))'],
  ['cfg(true)', 'cfg(true)'],
  ['cfg(r#true)', 'cfg(true)'],
  ['cfg(r#unix)', 'cfg(r#unix)'],
  ['cfg(all(r#foo="b",))', 'cfg(all(r#foo = "b"))'],
  ['cfg(r#true="x")', 'cfg(r#true = "x")'],
  ['cfg(true="x")', 'cfg(true = "x")'],
  ['cfg(r#all)', 'cfg(r#all)'],
  ['cfg(rr)', 'cfg(rr)'],
  ['cfg(a = "é \\")', 'cfg(a = "é \\")'],
])('parsePlatform prints %j as %s', (text, printed) => {
  expect(parsePlatform(text).text).toBe(printed);
});

const STRANGER = 'in cfg, expected parens, a comma, an identifier, or a string';
const NO_CFG = 'invalid target specifier: unexpected `(` character, cfg expressions must start with `cfg(`';
test.each([
  ['a b', 'a b', 'invalid target specifier: unexpected character   in target name'],
  ['a\u{1f600}b', 'a\u{1f600}b', 'invalid target specifier: unexpected character \u{1f600} in target name'],
  ['cfg(', 'cfg(', NO_CFG],
  ['cfg(unix', 'cfg(unix', NO_CFG],
  ['cfg (unix)', 'cfg (unix)', NO_CFG],
  ['a(b', 'a(b', NO_CFG],
  ['cfg()', '', 'expected start of a cfg expression, but cfg expression ended'],
  ['cfg(r#)', 'r#', 'expected identifier, but cfg expression ended'],
  ['cfg(r#1)', 'r#1', `unexpected character \`1\` ${STRANGER}`],
  ['cfg(\tunix)', '\tunix', `unexpected character \`\t\` ${STRANGER}`],
  ['cfg(é)', 'é', `unexpected character \`é\` ${STRANGER}`],
  ['cfg(all unix)', 'all unix', 'expected `(`, found an identifier'],
  ['cfg(all)', 'all', 'expected `(`, but cfg expression ended'],
  ['cfg(all(unix)', 'all(unix', 'expected `)`, but cfg expression ended'],
  ['cfg(all(a b))', 'all(a b)', 'expected `)`, found an identifier'],
  ['cfg(a=b)', 'a=b', 'expected a string, found an identifier'],
  ['cfg(a=)', 'a=', 'expected a string, but cfg expression ended'],
  ['cfg("a")', '"a"', 'expected identifier, found a string'],
  ['cfg("a)', '"a', 'unterminated string in cfg'],
  ['cfg(,)', ',', 'expected identifier, found `,`'],
  ['cfg(=)', '=', 'expected identifier, found `=`'],
  ['cfg(not(a,b))', 'not(a,b)', 'expected `)`, found `,`'],
  ['cfg(not())', 'not()', 'expected identifier, found `)`'],
  ['cfg(unix)x)', 'unix)x', 'unexpected content `)x` found after cfg expression'],
  ['cfg(any(a) ,)', 'any(a) ,', 'unexpected content `,` found after cfg expression'],
  ['cfg(foo-bar)', 'foo-bar', 'unexpected content `-bar` found after cfg expression'],
  ['cfg(r"x")', 'r"x"', 'unexpected content `"x"` found after cfg expression'],
])('parsePlatform refuses %j', (text, inner, reason) => {
  const message = `failed to parse \`${inner}\` as a cfg expression: ${reason}`;
  expect(() => parsePlatform(text)).toThrow(expect.objectContaining({ message }));
});

test('parsePlatform refuses expressions nested so deeply that the stack may overflow', () => {
  const nested = (depth: number): string => `cfg(${'not('.repeat(depth)}unix${')'.repeat(depth)})`;
  expect(parsePlatform(nested(500)).kind).toBe('cfg');
  expect(() => parsePlatform(nested(100_000))).toThrow(
    expect.objectContaining({
      code: 'manifest',
      message: expect.stringMatching(/: too many nested expressions$/),
    }),
  );
});

const name = fc
  .stringMatching(/^[a-z_][a-z0-9_]{0,4}$/)
  .filter((s) => !['all', 'any', 'not', 'true', 'false'].includes(s));
const { expr } = fc.letrec<{ expr: CfgExpr }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 4 },
    name.map((n): CfgExpr => ({ kind: 'value', cfg: { kind: 'name', name: n, raw: false } })),
    fc
      .tuple(name, fc.boolean(), fc.stringMatching(/^[^"]{0,4}$/))
      .map(([n, raw, value]): CfgExpr => ({ kind: 'value', cfg: { kind: 'key-pair', name: n, raw, value } })),
    fc.constantFrom<CfgExpr>({ kind: 'true' }, { kind: 'false' }),
    tie('expr').map((e): CfgExpr => ({ kind: 'not', expr: e })),
    fc
      .tuple(fc.constantFrom('all' as const, 'any' as const), fc.array(tie('expr'), { maxLength: 3 }))
      .map(([kind, exprs]): CfgExpr => ({ kind, exprs })),
  ),
}));

test('parsePlatform restores a printed expression', () => {
  fc.assert(
    fc.property(expr, (e) => {
      const platform = parsePlatform(`cfg(${formatCfgExpr(e)})`);
      expect(platform).toMatchObject({ kind: 'cfg', expr: e });
    }),
  );
});

test('comparePlatforms is antisymmetric, and 0 only for equal platforms', () => {
  fc.assert(
    fc.property(expr, expr, (a, b) => {
      const [x, y] = [a, b].map((e) => parsePlatform(`cfg(${formatCfgExpr(e)})`));
      expect(Math.sign(comparePlatforms(x!, y!))).toBe(-Math.sign(comparePlatforms(y!, x!)) + 0);
      expect(comparePlatforms(x!, y!) === 0).toBe(x!.text === y!.text);
    }),
  );
});

test('comparePlatforms orders by kind, then by content', () => {
  const sorted = [
    'aarch64-apple-darwin',
    'x86_64-pc-windows-gnu',
    'cfg(not(unix))',
    'cfg(all())',
    'cfg(all(unix))',
    'cfg(all(unix, windows))',
    'cfg(all(windows))',
    'cfg(any())',
    'cfg(unix)',
    'cfg(r#unix)',
    'cfg(windows)',
    'cfg(target_os = "a")',
    'cfg(target_os = "x")',
    'cfg(true)',
    'cfg(false)',
  ];
  const platforms = [null, ...sorted.map(parsePlatform)];
  expect(
    platforms
      .toReversed()
      .toSorted(comparePlatforms)
      .map((p) => p?.text ?? null),
  ).toEqual([null, ...sorted]);
});

describe('matchesPlatform', () => {
  const linux = 'x86_64-unknown-linux-gnu';
  const cfgs = targetCfgs(linux) ?? new Set();

  test.each([
    [linux, true],
    ['x86_64-pc-windows-gnu', false],
    ['cfg(unix)', true],
    ['cfg(r#unix)', true],
    ['cfg(windows)', false],
    ['cfg(target_os = "linux")', true],
    ['cfg(target_os = "x")', false],
    ['cfg(target_os)', false],
    ['cfg(all(unix, target_has_atomic = "8", target_has_atomic = "64"))', true],
    ['cfg(all())', true],
    ['cfg(any())', false],
    ['cfg(any(windows, not(windows)))', true],
    ['cfg(not(unix))', false],
    ['cfg(true)', true],
    ['cfg(false)', false],
    ['cfg(debug_assertions)', true],
    ['cfg(test)', false],
    ['cfg(feature = "x")', false],
    [`cfg(target = "${linux}")`, false],
  ])('evaluates %s on Linux: %s', (text, expected) => {
    expect(matchesPlatform(parsePlatform(text), linux, cfgs)).toBe(expected);
  });
});

test('the target table has the built-in targets and no others', () => {
  expect(targetTriples()).toHaveLength(322);
  expect(targetCfgs('constructor')).toBeNull();
  expect(targetCfgs('x86_64-unknown-linux')).toBeNull();
  expect(targetCfgs('x86_64-pc-windows-msvc')).toContain('windows');
  const families = [...(targetCfgs('wasm32-unknown-emscripten') ?? [])].filter((line) =>
    line.startsWith('target_family'),
  );
  expect(families.toSorted()).toEqual(['target_family="unix"', 'target_family="wasm"']);
});

test.each([
  ['linux', 'x64', false, 'x86_64-unknown-linux-gnu'],
  ['linux', 'x64', true, 'x86_64-unknown-linux-musl'],
  ['linux', 'arm64', true, 'aarch64-unknown-linux-musl'],
  ['linux', 'arm', true, 'armv7-unknown-linux-musleabihf'],
  ['darwin', 'arm64', false, 'aarch64-apple-darwin'],
  ['win32', 'x64', false, 'x86_64-pc-windows-msvc'],
  ['freebsd', 'x64', false, 'x86_64-unknown-freebsd'],
])('hostTriple for %s %s (musl %s) is %s', (platform, arch, isMusl, triple) => {
  expect(hostTriple({ platform, arch, isMusl })).toBe(triple);
  expect(targetCfgs(triple)).not.toBeNull();
});

test('hostTriple returns null for a machine without a toolchain', () => {
  expect(hostTriple({ platform: 'plan9', arch: 'x64', isMusl: false })).toBeNull();
  expect(hostTriple({ platform: 'linux', arch: 'vax', isMusl: false })).toBeNull();
});

test('withRustflags adds the values of `--cfg` flags', () => {
  const flags = ['-C', 'opt-level=3', '--cfg', 'foo', '--cfg=bar = "x"', '--cfg', '1', '--cfg'];
  expect([...withRustflags(new Set(['unix']), flags)]).toEqual(['unix', 'foo', 'bar="x"']);
});
