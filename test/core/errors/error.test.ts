import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TsregError, withContext } from '../../../src/core/errors/error.ts';

/** Returns the error that `body` throws. */
function failureOf(body: () => unknown): unknown {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

it('has only public fields if Node prints it', () => {
  const error = new TsregError('no token', { code: 'auth', hint: 'log in', isInternal: true });
  expect(error.isInternal).toBe(true);
  expect(Object.keys(error).toSorted()).toEqual(['code', 'hint', 'name', 'snippet']);
});

describe('a wrapper', () => {
  const reading = (path: string): unknown =>
    failureOf(() => withContext('failed to read', () => readFileSync(path)));

  it('has the code `io` for an error of the operating system, and `bug` for a wrong argument', () => {
    expect(reading('/nowhere/file')).toMatchObject({ code: 'io', cause: { code: 'ENOENT' } });
    expect(reading('a\0b')).toMatchObject({ code: 'bug', cause: { code: 'ERR_INVALID_ARG_VALUE' } });
  });

  it('has the code and the hint of its cause', () => {
    const cause = new TsregError('no token', { code: 'auth', hint: 'log in' });
    const outer = new TsregError('failed to publish', { cause: new TsregError('refused', { cause }) });
    expect(outer).toMatchObject({ code: 'auth', hint: 'log in' });
    expect(new TsregError('failed', { cause, hint: 'try again' }).hint).toBe('try again');
    expect(new TsregError('failed', { cause: new Error('x') }).hint).toBeNull();
  });

  it('of `withContext` has its own hint only if the cause has none', () => {
    const wrapped = (hint: string | null): unknown =>
      failureOf(() =>
        withContext(
          'failed',
          () => {
            throw new TsregError('no', { code: 'config', ...(hint === null ? {} : { hint }) });
          },
          { hint: 'outer' },
        ),
      );
    expect(wrapped(null)).toMatchObject({ hint: 'outer' });
    expect(wrapped('inner')).toMatchObject({ hint: 'inner' });
  });
});
