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

  it.each([
    ['ENHANCE_YOUR_CALM', 11],
    ['HTTP_1_1_REQUIRED', 13],
  ])('names the reason of a reset stream: %s', (name, number) => {
    const reset = Object.assign(new Error(`Stream closed with error code NGHTTP2_${name}`), {
      code: 'ERR_HTTP2_STREAM_ERROR',
    });
    expect(transferError(reset, STARTED)).toHaveProperty(
      'message',
      `[92] Stream error in the HTTP/2 framing layer (HTTP/2 stream was not closed cleanly: ${name} (err ${number}))`,
    );
  });

  it('returns an error without a code unchanged', () => {
    const error = new Error('a bug');
    expect(transferError(error, STARTED)).toBe(error);
  });
});
