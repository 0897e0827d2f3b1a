import { describe, expect, test } from 'vitest';
import { TsregError } from '../../../src/core/errors/error.ts';
import { CurlError } from '../../../src/io/http/curl-error.ts';
import type { HttpResponse } from '../../../src/io/http/message.ts';
import { isAboutDuplicates, stateAfter } from '../../../src/commands/publish/upload.ts';
import { readResponse } from '../../../src/io/web-api/read-response.ts';

/** Returns the error for a response. */
function failureOf(status: number, body: string): unknown {
  const response: HttpResponse = {
    ...{ status, headers: [], body: Buffer.from(body), transferredBytes: body.length },
    ...{ url: 'http://127.0.0.1/', ip: null, earlier: [], statusLine: `HTTP/1.1 ${status}` },
  };
  try {
    return readResponse(response, { isWhole: false, secret: null });
  } catch (error) {
    return error;
  }
}

const WORDS = '{"errors":[{"detail":"no"}]}';
const wrapped = (cause: unknown): TsregError => new TsregError('outer', { cause });

describe('stateAfter', () => {
  test.each([
    ['no connection', new CurlError(7), 'not-published'],
    ['no address', new CurlError(6), 'not-published'],
    ['a connection that breaks', new CurlError(56), 'unknown'],
    ['a transfer that stands still', wrapped(new CurlError(28)), 'unknown'],
    ['words with 200', failureOf(200, WORDS), 'refused'],
    ['words with 500', failureOf(500, WORDS), 'refused'],
    ['nothing with 500', failureOf(500, 'oops'), 'unknown'],
    ['nothing with 404', failureOf(404, 'oops'), 'refused'],
    ['a token that is not taken', wrapped(failureOf(403, WORDS)), 'refused'],
    ['a token that cannot be sent', new TsregError('no token', { code: 'auth' }), 'not-published'],
    ['an answer that is no JSON', new TsregError('expected value', { code: 'source' }), 'unknown'],
    ['anything else', new Error('x'), 'unknown'],
  ])('returns the state after %s', (_, error, state) => {
    expect(stateAfter(error)).toBe(state);
  });
});

test.each([
  [400, true],
  [409, true],
  [200, true],
  [500, true],
  [401, false],
  [403, false],
  [413, false],
  [429, false],
])('isAboutDuplicates of an error with status %d is %s', (status, expected) => {
  expect(isAboutDuplicates(failureOf(status, WORDS))).toBe(expected);
});
