import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IgnoreMatcher, parseIgnoreRules, type PathKind } from '../../../src/io/archive/ignore-pattern.ts';
import { toByteString } from '../../../src/core/files/byte-path.ts';

const FILES =
  'a|b.txt|a.b|.hid|é|x y|docs/a|docs/e.md|docs/sub/a.rs|src/lib.rs|src/a/b.rs|foo/a/b|deep/foo/c|{a}|[a]|a,b|#a|!a'.split(
    '|',
  );

interface Case {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly files?: readonly string[];
  readonly error?: string;
}

// The files that cargo selects for each list of patterns, recorded from cargo.
const cases: readonly Case[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded/include-exclude.json'), 'utf8'),
);

const folders = (path: string) =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, i, names) => names.slice(0, i + 1).join('/'));

test.each(cases)('selects the same files as cargo for %o', ({ include, exclude, files, error }) => {
  const parse = () => parseIgnoreRules(include ?? ['.*', ...(exclude ?? [])]);
  if (error !== undefined) {
    expect(parse).toThrow(error);
    return;
  }
  const matcher = new IgnoreMatcher(parse());
  const isIgnored = (path: string, kind: PathKind) => matcher.match(toByteString(path), kind) === 'ignored';
  const selected = FILES.filter((path) =>
    include === undefined
      ? !isIgnored(path, 'file') && !folders(path).some((folder) => isIgnored(folder, 'folder'))
      : isIgnored(path, 'file'),
  );
  expect(selected.sort()).toEqual([...(files ?? [])].sort());
});

test('IgnoreMatcher matches names that are not UTF-8 byte by byte', () => {
  const matcher = new IgnoreMatcher(parseIgnoreRules(['a?b']));
  expect(matcher.match('d/a\xffb', 'file')).toBe('ignored');
  expect(matcher.match(toByteString('aéb'), 'file')).toBeNull();
});

test('IgnoreMatcher finds quickly that a long run of stars does not match', () => {
  const matcher = new IgnoreMatcher(parseIgnoreRules([`${'*'.repeat(60)}b`]));
  expect(matcher.match('a'.repeat(200), 'file')).toBeNull();
});
