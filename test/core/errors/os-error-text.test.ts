import type * as Texts from '../../../src/core/errors/os-error-text.ts';
import { getSystemErrorMap } from 'node:util';
import { beforeEach, describe, expect, test, vi } from 'vitest';

/** Errors that Node knows on Unix and not on Windows. */
const ERRORS_OF_UNIX: readonly (readonly [number, [string, string]])[] = [
  [-2, ['ENOENT', 'no such file or directory']],
  [-32, ['EPIPE', 'broken pipe']],
];

/** Imports the module as on a system with the path separator `sep`. */
async function on(sep: string): Promise<typeof Texts> {
  vi.resetModules();
  vi.doMock('node:util', async (original) => ({
    ...(await original<object>()),
    getSystemErrorMap: () => new Map([...(sep === '/' ? ERRORS_OF_UNIX : []), ...getSystemErrorMap()]),
  }));
  vi.doMock('node:path', async (original) => ({ ...(await original<object>()), sep }));
  return import('../../../src/core/errors/os-error-text.ts');
}

beforeEach(() => {
  vi.doUnmock('node:path');
  vi.doUnmock('node:util');
});

describe('errors of the operating system', () => {
  test('have the messages and numbers of Unix on Unix', async () => {
    const { describeErrno, describeOsError } = await on('/');
    expect(describeErrno('EEXIST')).toBe('File exists (os error 17)');
    expect(describeOsError('EACCES', { errno: -13, message: 'EACCES: x' })).toBe(
      'Permission denied (os error 13)',
    );
    // macOS has another number for this name.
    expect(describeOsError('ENOTEMPTY', { errno: -66, message: '' })).toBe(
      'Directory not empty (os error 66)',
    );
    expect(describeOsError('EPIPE', { errno: -32, message: 'EPIPE: x' })).toBe('Broken pipe (os error 32)');
    expect(describeOsError(null, { errno: -2, message: 'x' })).toBe('No such file or directory (os error 2)');
  });

  test('have the messages and numbers of Windows on Windows, never the numbers of Node', async () => {
    const { describeErrno, describeOsError } = await on('\\');
    expect(describeErrno('ENOENT')).toBe('The system cannot find the file specified. (os error 2)');
    expect(describeOsError('EPERM', { errno: -4048, message: 'x' })).toBe('Access is denied. (os error 5)');
    expect(describeOsError('ELOOP', { errno: -4067, message: 'what Node says' })).not.toMatch(/4067/);
    expect(describeOsError(null, { errno: -99999, message: 'what Node says' })).toBe('what Node says');
  });
});
