import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandGlob } from '../../../src/io/workspace/glob.ts';
import { parseGlob } from '../../../src/io/workspace/glob-pattern.ts';
import { MemoryFiles } from '../../helpers/memory-files.ts';

test.each([
  ['a?c', 'abc a.c aéc a😀c', 'ac abbc'],
  ['a*', 'a ab a.b', 'ba'],
  ['*', 'a .a', ''],
  ['*b*d', 'abcd bd xbyd bbdd', 'bdx ad'],
  ['[a-c]', 'a b c', 'd - A'],
  ['[!a-c]', 'd -', 'a b'],
  ['[]]', ']', 'a'],
  ['[!]]', 'a', ']'],
  ['[]-]', '] -', '['],
  ['[a-]', 'a -', 'b'],
  ['[-a]', '- a', 'b'],
  ['[é-ü]', 'é ü', 'z'],
  ['[c-a]', '', 'a b c'],
  ['a]', 'a]', 'a'],
  ['{a,b}', '{a,b}', 'a b'],
  ['\\*', '\\ \\a', '*'],
])('%s matches %s but not %s', (pattern, yes, no) => {
  const component = parseGlob(pattern);
  const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
  expect(words(yes).filter((name) => !component.matches(name))).toEqual([]);
  expect(words(no).filter((name) => component.matches(name))).toEqual([]);
});

test('a name matches its own text with parts replaced by wildcards', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 3 }), fc.boolean())), (parts) => {
      const parsed = parts.map(([text, isWild]) => [text.replace(/[*?[\]]/g, ''), isWild] as const);
      const pattern = parsed
        .map(([text, isWild]) => (isWild ? '*' : text))
        .join('')
        .replace(/\*+/g, '*');
      expect(parseGlob(pattern).matches(parsed.map(([text]) => text).join(''))).toBe(true);
    }),
  );
});

const RECURSIVE = 'recursive wildcards must form a single path component';
test.each([
  ['/ws/x[***', 5, 'invalid range pattern'],
  ['/é/[', 3, 'invalid range pattern'],
  ['/[]', 1, 'invalid range pattern'],
  ['/[!]', 1, 'invalid range pattern'],
  ['/a***', 4, 'wildcards are either regular `*` or recursive `**`'],
  ['/a**', 1, RECURSIVE],
  ['/**a', 3, RECURSIVE],
  ['/a/[b/c]', 0, 'invalid range pattern'],
])('refuses %s', (pattern, position, reason) => {
  expect(() => expandGlob(pattern, new MemoryFiles({}))).toThrow(
    `Pattern syntax error near position ${position}: ${reason}`,
  );
});

describe('expandGlob', () => {
  const files = new MemoryFiles({
    '/ws/.hid/x': '',
    '/ws/B/x': '',
    '/ws/a/x': '',
    '/ws/a/in/x': '',
    '/ws/a-b/in/x': '',
    '/ws/é/in/': '',
    '/ws/file': '',
    '/ws/[odd]/x/': '',
  });

  test.each([
    ['/ws/*', '.hid B [odd] a a-b file é'],
    ['/ws/*/', '.hid B [odd] a a-b é'],
    ['/ws/a*', 'a a-b'],
    ['/ws/*/in', 'a/in a-b/in é/in'],
    ['/ws/a', 'a'],
    ['/ws/a/', 'a'],
    ['/ws/./a', './a'],
    ['/ws/a/../B', 'a/../B'],
    ['/ws/a//in', 'a/in'],
    ['/ws/absent', ''],
    ['/ws/absent/*', ''],
    ['/ws/file/*', ''],
    ['/ws/file/', ''],
    ['/ws/absent/..', ''],
    ['/ws/**', '.hid B [odd] [odd]/x a a/in a-b a-b/in é é/in'],
    ['/ws/**/in', 'a/in a-b/in é/in'],
    ['/ws/**/**/in', 'a/in a-b/in é/in'],
    ['/ws/a/**/x', 'a/in/x a/x'],
    ['/ws/.h*', '.hid'],
    ['/ws/a/.*', 'a/.. a/.'],
    ['/ws/a/.?/B', 'a/../B'],
    ['/ws/[[]odd]', '[odd]'],
    ['/ws/[odd]', ''],
    ['/ws/[!aB]', 'é'],
  ])('expands %s to %s', (pattern, expected) => {
    const names = expandGlob(pattern, files).map((path) => path.slice('/ws/'.length));
    expect(names.join(' ')).toBe(expected);
  });

  test('expands the root to itself', () => {
    expect(expandGlob('/', files)).toEqual(['/']);
  });
});
