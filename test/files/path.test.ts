import fc from 'fast-check';
import { posix, win32 } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  joinPath,
  normalizePath,
  parentFolder,
  pathsEqual,
  relativePath,
  rootOfPath,
  startsWithPath,
} from '../../src/files/path.ts';
import { ancestors } from '../../src/workspace/find-manifest.ts';

const absolute = fc
  .array(fc.constantFrom('a', 'b', '.', '..', '', '.h', '..x', 'c.d'), { maxLength: 6 })
  .map((parts) => `/${parts.join('/')}`);

test('normalising resolves dots as text', () => {
  fc.assert(
    fc.property(absolute, (path) => {
      const expected = posix.normalize(path).replace(/(?<=.)\/$/, '');
      expect(normalizePath(path)).toBe(expected);
    }),
  );
});

test('joining resolves nothing', () => {
  expect(joinPath('/a', 'b/../c/')).toBe('/a/b/../c/');
  expect(joinPath('/a/', './b')).toBe('/a/./b');
  expect(joinPath('/', 'b')).toBe('/b');
  expect(joinPath('/a', '/b')).toBe('/b');
  expect(joinPath('/a', '')).toBe('/a/');
});

test('the folder of a path', () => {
  expect(['/a/b', '/a', '/'].map(parentFolder)).toEqual(['/a', '/', '/']);
});

test.each([
  ['/a/b', '/a', true],
  ['/a/b', '/a/', true],
  ['/a/b', '/./a//b', true],
  ['/a/b', '/', true],
  ['/ab', '/a', false],
  ['/a/b', '/a/../a', false],
  ['/a', '/a/b', false],
])('%s begins with %s: %s', (path, prefix, expected) => {
  expect(startsWithPath(path, prefix)).toBe(expected);
});

test('equality is by components', () => {
  expect(pathsEqual('/a/./b/', '/a//b')).toBe(true);
  expect(pathsEqual('/a/../b', '/b')).toBe(false);
});

test('the way from one folder to another leads there', () => {
  fc.assert(
    fc.property(absolute, absolute, (a, b) => {
      const [from, to] = [normalizePath(a), normalizePath(b)];
      expect(relativePath(from, to)).toBe(posix.relative(from, to));
      expect(normalizePath(joinPath(from, relativePath(from, to)))).toBe(to);
    }),
  );
});

describe('paths of Windows', () => {
  const component = fc.constantFrom('a', 'B', '.h', '..x', 'c.d', 'con', 'ä', 'x'.repeat(300));
  const root = fc.constantFrom(
    'C:\\',
    'd:\\',
    '\\\\server\\share\\',
    '\\\\?\\C:\\',
    '\\\\?\\UNC\\server\\share\\',
  );
  const folder = fc
    .tuple(root, fc.array(component, { maxLength: 4 }))
    .map(([start, parts]) => start + parts.join('\\'));

  test.each([
    ['C:\\ws', 'C:\\'],
    ['c:/ws', 'c:/'],
    ['\\\\server\\share\\ws', '\\\\server\\share\\'],
    ['\\\\server\\share', '\\\\server\\share'],
    ['\\\\?\\C:\\ws', '\\\\?\\C:\\'],
    ['\\\\?\\UNC\\server\\share\\ws', '\\\\?\\UNC\\server\\share\\'],
    ['\\\\.\\pipe\\x', '\\\\.\\pipe\\'],
    ['C:ws', null],
    ['ws\\C:\\', null],
    ['\\ws', null],
    ['1:\\ws', null],
    ['/C:/ws', '/'],
  ])('the root of %s is %s', (path, expected) => {
    expect(rootOfPath(path)).toBe(expected);
  });

  test('are joined as they are typed there', () => {
    expect(joinPath('C:\\ws', 'src\\lib.rs')).toBe('C:\\ws\\src\\lib.rs');
    expect(joinPath('C:\\ws', 'src/lib.rs')).toBe('C:\\ws\\src/lib.rs');
    expect(joinPath('C:\\', 'ws')).toBe('C:\\ws');
    expect(joinPath('C:/ws/', 'ws')).toBe('C:/ws/ws');
    expect(joinPath('C:\\ws', 'D:\\x')).toBe('D:\\x');
    expect(joinPath('C:\\ws', '\\\\server\\share\\x')).toBe('\\\\server\\share\\x');
    expect(joinPath('C:\\ws\\a', '\\x')).toBe('C:\\x');
    expect(joinPath('\\\\server\\share\\a', '/x')).toBe('\\\\server\\share\\x');
  });

  test('mean nothing elsewhere', () => {
    expect(joinPath('/ws', 'C:\\x')).toBe('/ws/C:\\x');
    expect(normalizePath('/ws/C:\\..\\x')).toBe('/ws/C:\\..\\x');
    expect(startsWithPath('/a\\b', '/a')).toBe(false);
  });

  test('end at their root', () => {
    expect(parentFolder('C:\\a\\b')).toBe('C:\\a');
    expect(parentFolder('C:\\a/b')).toBe('C:\\a');
    expect(parentFolder('C:\\a')).toBe('C:\\');
    expect(parentFolder('C:\\')).toBe('C:\\');
    expect(parentFolder('\\\\server\\share\\a')).toBe('\\\\server\\share\\');
    expect(parentFolder('\\\\server\\share')).toBe('\\\\server\\share');
    expect([...ancestors('C:\\a\\b')]).toEqual(['C:\\a\\b', 'C:\\a', 'C:\\']);
    fc.assert(
      fc.property(folder, (path) => {
        expect([...ancestors(path)].at(-1)).toBe(rootOfPath(path));
      }),
    );
  });

  test('are normalised and compared with either separator', () => {
    expect(normalizePath('C:\\a\\.\\b/../c\\')).toBe('C:\\a\\c');
    expect(normalizePath('C:\\..\\..\\a')).toBe('C:\\a');
    expect(normalizePath('\\\\server\\share\\..\\a')).toBe('\\\\server\\share\\a');
    expect(startsWithPath('c:\\ws\\a', 'C:/ws')).toBe(true);
    expect(startsWithPath('C:\\ws2', 'C:\\ws')).toBe(false);
    expect(startsWithPath('D:\\ws\\a', 'C:\\ws')).toBe(false);
    expect(pathsEqual('C:\\ws\\.\\a\\', 'c:/ws/a')).toBe(true);
    expect(pathsEqual('C:\\WS', 'C:\\ws')).toBe(false);
  });

  test('have ways with slashes between them, as archives and lock files want them', () => {
    expect(relativePath('C:\\ws', 'C:\\ws\\src\\lib.rs')).toBe('src/lib.rs');
    expect(relativePath('C:\\ws\\a', 'C:/ws/b')).toBe('../b');
    expect(relativePath('C:\\ws', 'D:\\x')).toBe('D:\\x');
    fc.assert(
      fc.property(folder, folder, (base, path) => {
        const [from, to] = [normalizePath(base), normalizePath(path)];
        expect(pathsEqual(normalizePath(joinPath(from, relativePath(from, to))), to)).toBe(true);
      }),
    );
  });

  test('are what the system itself makes of them', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', '.', '..', 'c.d'), { maxLength: 6 }), (parts) => {
        const path = `C:\\${parts.join('\\')}`;
        expect(normalizePath(path)).toBe(win32.normalize(path).replace(/(?<=[^:])\\$/, ''));
      }),
    );
  });
});
