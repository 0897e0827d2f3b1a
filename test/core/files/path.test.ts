import fc from 'fast-check';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import {
  hasFileName,
  joinPath,
  normalizePath,
  parentFolder,
  pathsEqual,
  relativePath,
  rootOfPath,
  startsWithPath,
} from '../../../src/core/files/path.ts';
import { onWindows } from '../../helpers/system.ts';

const absolute = fc
  .array(fc.constantFrom('a', 'b', '.', '..', '', '.h', '..x', 'c.d'), { maxLength: 6 })
  .map((parts) => `/${parts.join('/')}`);

test('normalizePath resolves dots lexically', () => {
  fc.assert(
    fc.property(absolute, (path) => {
      const expected = posix.normalize(path).replace(/(?<=.)\/$/, '');
      expect(normalizePath(path)).toBe(expected);
    }),
  );
});

test('joinPath resolves no dots', () => {
  expect(joinPath('/a', 'b/../c/')).toBe('/a/b/../c/');
  expect(joinPath('/a/', './b')).toBe('/a/./b');
  expect(joinPath('/', 'b')).toBe('/b');
  expect(joinPath('/a', '/b')).toBe('/b');
  expect(joinPath('/a', '')).toBe('/a/');
});

test('hasFileName requires a name as the last component', () => {
  expect(['a', '/a', '../a', 'a/.', 'a/', '..a'].filter((path) => !hasFileName(path))).toEqual([]);
  expect(['', '.', '..', 'a/..', './', '/'].filter(hasFileName)).toEqual([]);
});

test('parentFolder removes the last component, but not the root', () => {
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

test('pathsEqual compares components without resolving `..`', () => {
  expect(pathsEqual('/a/./b/', '/a//b')).toBe(true);
  expect(pathsEqual('/a/../b', '/b')).toBe(false);
});

test('relativePath leads from one folder to the other', () => {
  fc.assert(
    fc.property(absolute, absolute, (a, b) => {
      const [from, to] = [normalizePath(a), normalizePath(b)];
      expect(relativePath(from, to)).toBe(posix.relative(from, to));
      expect(normalizePath(joinPath(from, relativePath(from, to)))).toBe(to);
    }),
  );
});

test.skipIf(onWindows).each(['C:\\ws', 'C:/ws', '\\\\server\\share\\x', '\\\\?\\C:\\ws'])(
  '%s is a relative path (not on Windows: there it is a drive or a share)',
  (path) => {
    expect(rootOfPath(path)).toBeNull();
    expect(joinPath('/ws', path)).toBe(`/ws/${path}`);
    expect(joinPath(path, '/ws')).toBe('/ws');
    expect(joinPath(path, 'a\\b')).toBe(`${path}/a\\b`);
    expect(normalizePath(`${path}/./a`)).toBe(`${path}/a`);
    expect(parentFolder(`${path}/a\\b`)).toBe(path);
    expect(startsWithPath(`${path}/a\\b`, `${path}/a`)).toBe(false);
  },
);
