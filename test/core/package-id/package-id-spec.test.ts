import { expect, test } from 'vitest';
import {
  formatPackageIdSpec,
  matchesPackageIdSpec,
  parsePackageIdSpec,
} from '../../../src/core/package-id/package-id-spec.ts';
import { formatPackageId, makePackageId } from '../../../src/core/package-id/package-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { parseVersion } from '../../../src/core/version/version.ts';

const table = new SourceTable();
const SHA = '0123456789abcdef0123456789abcdef01234567';
const sources = [
  table.forPath('/abs/foo'),
  table.forPath('/abs/bar'),
  table.cratesIo(),
  table.forRegistryIndex('sparse+https://h/i/'),
  table.forRegistryIndex('https://h/foo'),
  table.forGit('https://h/r', { kind: 'branch', name: 'a b/c' }, SHA),
  table.forGit('https://h/foo', { kind: 'default' }, SHA),
];

test.each(['foo', 'foo@1.2', 'foo@1.2.3', 'foo::bar'])('%s is printed as written', (text) => {
  expect(formatPackageIdSpec(parsePackageIdSpec(text))).toBe(text);
});

test.each([
  ['foo:1.2.3', 'foo@1.2.3'],
  ['https://h/foo', 'https://h/foo'],
  ['https://h/foo#1.1', 'https://h/foo#1.1'],
  ['https://h/bar#foo', 'https://h/bar#foo'],
  ['https://h/foo#foo@1.2.3', 'https://h/foo#1.2.3'],
  ['https://h/bar#foo:1.2.3', 'https://h/bar#foo@1.2.3'],
  ['git+ssh://git@h/r/foo.git?ref=x#foo@1.4.3', 'git+ssh://git@h/r/foo.git?branch=x#foo@1.4.3'],
  ['sparse+https://h/i/#foo', 'sparse+https://h/i/#foo'],
])('%s is printed as %s', (text, printed) => {
  expect(formatPackageIdSpec(parsePackageIdSpec(text))).toBe(printed);
});

test('the specification of a package matches only that package', () => {
  const ids = sources.map((source) => makePackageId('foo', parseVersion('1.2.3-a+b'), source));
  for (const id of ids) {
    const spec = parsePackageIdSpec(formatPackageId(id, 'spec'));
    expect(formatPackageIdSpec(spec)).toBe(formatPackageId(id, 'spec'));
    expect(ids.filter((other) => matchesPackageIdSpec(spec, other))).toEqual([id]);
  }
});

test('a URL without `sparse+` does not match a sparse registry', () => {
  const ids = sources.map((source) => makePackageId('foo', parseVersion('1.2.3'), source));
  const named = (text: string): number =>
    ids.filter((id) => matchesPackageIdSpec(parsePackageIdSpec(text), id)).length;
  expect(['https://h/i/#foo', 'sparse+https://h/i/#foo'].map(named)).toEqual([0, 1]);
});

test('parts that are left out match everything', () => {
  const [id] = sources.map((source) => makePackageId('foo', parseVersion('1.2.3'), source));
  const matches = (text: string): boolean => matchesPackageIdSpec(parsePackageIdSpec(text), id!);
  expect(['foo', 'foo@1', 'foo@1.2.3', 'file:///abs/foo', 'file:///abs/foo#1'].map(matches)).not.toContain(
    false,
  );
  expect(['bar', 'foo@2', 'foo@1.2.4', 'file:///abs/fo', 'git+file:///abs/foo'].map(matches)).not.toContain(
    true,
  );
});

test.each([
  ['', 'package name cannot be empty'],
  ['1a', 'invalid character `1` in package name: `1a`, the name cannot start with a digit'],
  [
    '-a',
    'invalid character `-` in package name: `-a`, the first character must be a Unicode XID start character (most letters or `_`)',
  ],
  [
    'a/b',
    'invalid character `/` in package name: `a/b`, characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
  ],
  ['a@foo', 'expected a version like "1.32"'],
  ['https://h/a#', 'pkgid url cannot have an empty fragment'],
  ['foo+https://h/a', 'unsupported source protocol: foo'],
  ['https://h/a?x#b', 'cannot have a query string in a pkgid: https://h/a?x#b'],
  ['path+https://h/a', '`path+https` is unsupported; `path+file` and `file` schemes are supported'],
])('refuses %j', (text, message) => {
  expect(() => parsePackageIdSpec(text)).toThrow(expect.objectContaining({ message }));
});

test('suggests a URL for a specification that is an existing path', () => {
  expect(() => parsePackageIdSpec('./a b', { existingPath: () => '/w/a b' })).toThrow(
    'package ID specification `./a b` looks like a file path, maybe try file:///w/a%20b',
  );
});
