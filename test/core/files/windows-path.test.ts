import fc from 'fast-check';
import { win32 } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  fileName,
  joinPath,
  normalizePath,
  parentFolder,
  pathOfGit,
  pathsEqual,
  relativePath,
  rootOfPath,
  startsWithPath,
  toNativeSeparators,
  toSlashes,
} from '../../../src/core/files/path.ts';
import { ancestors } from '../../../src/io/workspace/find-manifest.ts';

// The separator of Windows, by which the program recognizes that system.
vi.mock('node:path', async (original) => ({
  ...(await original<object>()),
  sep: '\\',
}));

describe('Windows paths', () => {
  test('have only slashes after toSlashes if they are absolute', () => {
    expect(toSlashes('C:\\ws\\sub/a')).toBe(toSlashes('C:\\ws/sub/a'));
    expect(toSlashes('a\\b')).toBe('a\\b');
  });

  test('are equal to the paths that git prints', () => {
    expect(pathsEqual(pathOfGit('c:/ws/a'), 'C:\\ws\\a')).toBe(true);
    expect(pathsEqual(pathOfGit('//server/share/a'), '\\\\server\\share\\a')).toBe(true);
  });

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

  test('are joined as on Windows, with separators as written', () => {
    expect(joinPath('C:\\ws', 'src\\lib.rs')).toBe('C:\\ws\\src\\lib.rs');
    expect(joinPath('C:\\ws', 'src/lib.rs')).toBe('C:\\ws\\src/lib.rs');
    expect(joinPath('C:\\', 'ws')).toBe('C:\\ws');
    expect(joinPath('C:/ws/', 'ws')).toBe('C:/ws/ws');
    expect(joinPath('C:\\ws', 'D:\\x')).toBe('D:\\x');
    expect(joinPath('C:\\ws', '\\\\server\\share\\x')).toBe('\\\\server\\share\\x');
    expect(joinPath('C:\\ws\\a', '\\x')).toBe('C:\\x');
    expect(joinPath('\\\\server\\share\\a', '/x')).toBe('\\\\server\\share\\x');
  });

  test('have no special meaning in POSIX paths', () => {
    expect(joinPath('/ws', 'C:\\x')).toBe('/ws/C:\\x');
    expect(normalizePath('/ws/C:\\..\\x')).toBe('/ws/C:\\..\\x');
    expect(startsWithPath('/a\\b', '/a')).toBe(false);
  });

  test('have parents up to their root', () => {
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

  test('are normalized and compared with either separator', () => {
    expect(normalizePath('C:\\a\\.\\b/../c\\')).toBe('C:\\a\\c');
    expect(normalizePath('C:\\..\\..\\a')).toBe('C:\\a');
    expect(normalizePath('\\\\server\\share\\..\\a')).toBe('\\\\server\\share\\a');
    expect(startsWithPath('c:\\ws\\a', 'C:/ws')).toBe(true);
    expect(startsWithPath('C:\\ws2', 'C:\\ws')).toBe(false);
    expect(startsWithPath('D:\\ws\\a', 'C:\\ws')).toBe(false);
    expect(pathsEqual('C:\\ws\\.\\a\\', 'c:/ws/a')).toBe(true);
    expect(pathsEqual('C:\\WS', 'C:\\ws')).toBe(false);
  });

  test('have a file name after either separator', () => {
    expect(fileName('C:\\ws\\build.rs')).toBe('build.rs');
    expect(fileName('C:\\ws\\a/build.rs')).toBe('build.rs');
    expect(fileName('build.rs')).toBe('build.rs');
  });

  test('get backslashes from toNativeSeparators, unlike POSIX paths', () => {
    expect(toNativeSeparators('C:\\ws\\a/b/Cargo.toml')).toBe('C:\\ws\\a\\b\\Cargo.toml');
    expect(toNativeSeparators('/ws/a\\b/c')).toBe('/ws/a\\b/c');
  });

  test('have relative paths with slashes, as archives and lock files need them', () => {
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

  test('are normalized in the same way as by Node.js', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', '.', '..', 'c.d'), { maxLength: 6 }), (parts) => {
        const path = `C:\\${parts.join('\\')}`;
        expect(normalizePath(path)).toBe(win32.normalize(path).replace(/(?<=[^:])\\$/, ''));
      }),
    );
  });
});
