import { describe, expect, it } from 'vitest';
import { TsregError } from '../../../src/core/errors/error.ts';
import {
  decodeHello,
  decodeResponse,
  ProviderFailure,
} from '../../../src/io/credentials/provider-responses.ts';

const get = (fields: object): string =>
  `${JSON.stringify({ Ok: { kind: 'get', token: 'T', cache: 'session', operation_independent: true, ...fields } })}\n`;

/** Returns the message of an error and the messages of its causes. */
function chainOf(error: unknown): readonly string[] {
  const messages: string[] = [];
  for (let at = error; at instanceof TsregError; at = at.cause) messages.push(at.message);
  return messages;
}

function failureOf(line: string): readonly string[] {
  try {
    const response = decodeResponse(line);
    return response instanceof ProviderFailure ? ['told:', ...chainOf(response.error)] : [];
  } catch (error) {
    return chainOf(error);
  }
}

describe('decodeHello', () => {
  it('returns the offered versions', () => {
    expect(decodeHello('{"v":[1,2],"more":{}}\n')).toEqual([1, 2]);
    expect(decodeHello('{"v":[]}\n')).toEqual([]);
    expect(decodeHello(' [[1]]\n')).toEqual([1]);
  });

  it.each([
    ['{}\n', 'missing field `v` at line 1 column 2'],
    ['{"v":"x"}\n', 'invalid type: string "x", expected a sequence at line 1 column 8'],
    ['{"v":[-1]}\n', 'invalid value: integer `-1`, expected u32 at line 1 column 8'],
    ['\n', 'EOF while parsing a value at line 2 column 0'],
    ['', 'EOF while parsing a value at line 1 column 0'],
    ['zzz\n', 'expected value at line 1 column 1'],
    ['[]\n', 'invalid length 0, expected struct CredentialHello with 1 element at line 1 column 2'],
    ['[1]\n', 'invalid type: integer `1`, expected a sequence at line 1 column 2'],
    ['[[1],2]\n', 'trailing characters at line 1 column 6'],
    ['[[1]]x\n', 'trailing characters at line 1 column 6'],
    ['{"v":[1],"v":[1]}\n', 'duplicate field `v` at line 1 column 12'],
  ])('refuses %j', (line, message) => {
    expect(() => decodeHello(line)).toThrow(message);
  });
});

describe('decodeResponse', () => {
  it.each([
    [get({}), { cache: 'session', expiration: null, isOperationIndependent: true }],
    [
      get({ cache: 'never', operation_independent: false }),
      { cache: 'never', isOperationIndependent: false },
    ],
    [get({ cache: 'expires', expiration: 17 }), { cache: 'expires', expiration: 17 }],
    [get({ cache: 'later' }), { cache: 'unknown', expiration: null }],
  ])('reads a token %#', (line, expected) => {
    const answer = decodeResponse(line);
    expect(answer).toMatchObject({ kind: 'get', ...expected });
    expect(String('token' in answer && answer.token)).toBe('REDACTED');
    expect('token' in answer && answer.token.expose()).toBe('T');
  });

  it.each([
    ['{"Ok":{"kind":"login"}}\n', 'login'],
    ['{"Ok":{"kind":"logout","more":1}}\n', 'logout'],
    ['{"Ok":{"kind":"dance"}}\n', 'unknown'],
    ['{"Err":{"kind":"not-found"}}\n', 'not-found'],
    ['{"Err":{"kind":"url-not-supported"}}\n', 'url-not-supported'],
  ])('reads %j', (line, kind) => {
    expect(decodeResponse(line)).toEqual({ kind });
  });

  it.each([
    ['{"Err":{"kind":"operation-not-supported"}}\n', 'requested operation not supported'],
    ['{"Err":{"kind":"dance"}}\n', 'unknown error kind; update tsreg'],
  ])('returns the failure %j', (line, message) => {
    expect(failureOf(line)).toEqual(['told:', message]);
  });

  it('returns the causes of a failure', () => {
    const err = { kind: 'other', message: 'M', 'caused-by': ['c1', 'c2'] };
    expect(failureOf(`${JSON.stringify({ Err: err })}\n`)).toEqual(['told:', 'M', 'c1', 'c2']);
  });

  it.each([
    [
      '{"Err":{"kind":"other","message":"M","caused-by":[1,true]}}\n',
      'invalid type: integer `1`, expected a string',
    ],
    [get({ cache: 'expires' }), 'missing field `expiration`'],
    [get({ cache: 'expires', expiration: 'x' }), 'invalid type: string "x", expected i64'],
    [get({ cache: 'expires', expiration: 253_402_300_800 }), 'invalid timestamp, expected an in-range value'],
    [get({ cache: undefined }), 'missing field `cache`'],
    [get({ cache: null }), 'invalid type: null, expected variant identifier'],
    [get({ cache: {} }), 'invalid type: map, expected variant identifier'],
    [get({ operation_independent: undefined }), 'missing field `operation_independent`'],
    [get({ operation_independent: 1 }), 'invalid type: integer `1`, expected a boolean'],
    [get({ token: undefined }), 'missing field `token`'],
    ['{"Ok":{}}\n', 'missing field `kind` at line 1 column 8'],
    [
      '{"Ok":null}\n',
      'invalid type: null, expected internally tagged enum CredentialResponse at line 1 column 10',
    ],
    ['{"Err":null}\n', 'invalid type: null, expected internally tagged enum Error at line 1 column 11'],
    ['{"Err":{"kind":"other"}}\n', 'missing field `message`'],
    ['{}\n', 'expected value at line 1 column 2'],
    ['[]\n', 'expected value at line 1 column 1'],
    ['"Ok"\n', 'invalid type: unit variant, expected newtype variant'],
    ['{"Bad":1}\n', 'unknown variant `Bad`, expected `Ok` or `Err` at line 1 column 6'],
    ['{"Ok":{"kind":"login"},"Err":{"kind":"not-found"}}\n', 'expected value at line 1 column 22'],
    ['{"Ok":{"kind":"get"\n', 'EOF while parsing an object at line 2 column 0'],
    [`${get({}).trim()}x\n`, 'trailing characters at line 1 column 81'],
  ])('refuses %j with the message of cargo', (line, message) => {
    expect(failureOf(line)).toEqual([message]);
  });
});
