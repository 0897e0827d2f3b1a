import { expect, it, vi } from 'vitest';
import { parentPath } from '../../../src/io/config/parent-path.ts';

// The separator of Windows. Paths that begin with `/` behave the same everywhere.
vi.mock('node:path', async (original) => ({
  ...(await original<object>()),
  sep: '\\',
}));

it.each([
  ['/a/b', '/a'],
  ['/a', '/'],
  ['/', '/'],
  ['/a/b/', '/a'],
  ['/a/b/.', '/a'],
  ['/a//b', '/a'],
  ['/a/./b', '/a'],
  ['/a/b/..', '/a/b'],
  ['/a/b/../c', '/a/b/..'],
  ['C:\\a\\b', 'C:\\a'],
  ['C:\\a', 'C:\\'],
  ['C:\\', 'C:\\'],
  ['C:/a/b/', 'C:/a'],
  ['C:\\a\\b\\.', 'C:\\a'],
  ['\\\\server\\share\\a', '\\\\server\\share\\'],
])('the parent of %s is %s', (path, parent) => {
  expect(parentPath(path)).toBe(parent);
});
