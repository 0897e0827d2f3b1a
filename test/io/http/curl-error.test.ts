import { describe, expect, it } from 'vitest';
import { TsregError } from '../../../src/core/errors/error.ts';
import { CurlError, isEndOfConnection, transferError } from '../../../src/io/http/curl-error.ts';

const STARTED = { received: 0, expected: null, hasHead: false };

describe('transferError', () => {
  it.each([
    ['of curl', new CurlError(28)],
    ['of another kind', new TsregError('no space left', { code: 'io' })],
  ])('returns an error of the program unchanged: %s', (_, error) => {
    expect(transferError(error, STARTED)).toBe(error);
    expect(isEndOfConnection(error, STARTED, true)).toBe(false);
  });

  it('returns an error without a code unchanged', () => {
    const error = new Error('a bug');
    expect(transferError(error, STARTED)).toBe(error);
  });
});
