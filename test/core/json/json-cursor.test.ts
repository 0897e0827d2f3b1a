import { describe, expect, it } from 'vitest';
import {
  decodeOk,
  decodeOwnersChange,
  decodePublishWarnings,
} from '../../../src/core/protocol/api-responses.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

// The expected messages are those of cargo's JSON library.
describe('a skipped value', () => {
  it.each([
    ['half a character', '{"x":"\\ud800","ok":true}'],
    ['a number without end', '{"x":1e999,"ok":true}'],
    ['lists in lists', `{"x":${nested(100_000)},"ok":true}`],
    ['objects and lists', '{"x":[{},[ ],{"a":[1 , {"b":null}],"c":{"d":""}}] , "ok":true}'],
  ])('may be %s', (_, text) => {
    expect(decodeOk(bytes(text))).toBe(true);
  });

  it.each([
    ['{"x":[1,],"ok":true}', 'expected value at line 1 column 9'],
    ['{"x":{"a":1,},"ok":true}', 'key must be a string at line 1 column 13'],
    ['{"x":{"a" 1},"ok":true}', 'expected `:` at line 1 column 11'],
    ['{"x":{"a":1 "b":2}}', 'expected `,` or `}` at line 1 column 13'],
    ['{"x":[}', 'expected value at line 1 column 7'],
    ['{"x":"\\u12x4","ok":true}', 'invalid escape at line 1 column 12'],
    [
      '{"x":"a\nb","ok":true}',
      'control character (\\u0000-\\u001F) found while parsing a string at line 1 column 7',
    ],
    ['{"x":1e,"ok":true}', 'invalid number at line 1 column 8'],
    ['{"x":-', 'invalid number at line 1 column 6'],
  ])('is refused if it is not JSON: %s', (text, message) => {
    expect(() => decodeOk(bytes(text))).toThrow(message);
  });
});

describe('a decoded value', () => {
  const message = (text: string): string | null =>
    decodeOwnersChange(bytes(`{"ok":true,"msg":${text}`), { mayBeSilent: false }).message;

  it('may contain surrogate pairs', () => {
    expect(message('"\\ud83d\\ude00"}')).toBe('😀');
  });

  it.each([
    ['"\\ud800"}', 'unexpected end of hex escape at line 1 column 25'],
    ['"\\udc00"}', 'lone leading surrogate in hex escape at line 1 column 24'],
    ['"\\ud800\\u0041"}', 'lone leading surrogate in hex escape at line 1 column 30'],
    ['"\\u12x4"}', 'invalid escape at line 1 column 24'],
    ['"\\u12', 'EOF while parsing a string at line 1 column 22'],
    ['1e999}', 'number out of range at line 1 column 22'],
    ['1e99999999999}', 'number out of range at line 1 column 29'],
    ['"a\nb"}', 'control character (\\u0000-\\u001F) found while parsing a string at line 2 column 0'],
  ])('is refused if it is invalid: %j', (text, expected) => {
    expect(() => message(text)).toThrow(expected);
  });

  it('is refused if it is not UTF-8', () => {
    const document = Buffer.from('{"ok":true,"msg":"\xff"}', 'latin1');
    expect(() => decodeOwnersChange(document, { mayBeSilent: false })).toThrow(
      'invalid unicode code point at line 1 column 20',
    );
  });

  it.each([
    ['[true false]', 'trailing characters at line 1 column 7'],
    ['[true,]', 'trailing comma at line 1 column 7'],
    ['[true,', 'trailing characters at line 1 column 6'],
  ])('is refused if a list goes on after it: %s', (text, expected) => {
    expect(() => decodeOk(bytes(text))).toThrow(expected);
  });
});

describe('a fully decoded document', () => {
  it.each([
    ['{"x":[1,]}', 'trailing comma at line 1 column 9'],
    [`{"x":${nested(128)}}`, 'recursion limit exceeded at line 1 column 132'],
    ['{"x":"\\ud800"}', 'unexpected end of hex escape at line 1 column 13'],
  ])('is checked completely: %s', (text, expected) => {
    expect(() => decodePublishWarnings(bytes(text))).toThrow(expected);
  });
});
