import { describe, expect, it } from 'vitest';
import {
  anyValue,
  array,
  boolean,
  DecodeContext,
  decodeDocument,
  describeValue,
  integer,
  map,
  oneOf,
  string,
  strings,
  variant,
} from '../../../src/core/toml/decode.ts';
import { struct } from '../../../src/core/toml/decode-struct.ts';
import type { Decoder } from '../../../src/core/toml/decode.ts';
import { parseToml, parseTomlWithSpans } from '../../../src/core/toml/parse.ts';
import { locateTypeError, TomlTypeError } from '../../../src/core/toml/type-error.ts';

function read<T>(decoder: Decoder<T>, text: string): T {
  return decoder(parseToml(text), new DecodeContext());
}

/** Returns the message of the error, and the part of the text that it is about. */
function failure(decoder: Decoder<unknown>, text: string): [string, string] {
  try {
    read(decoder, text);
  } catch (error) {
    if (!(error instanceof TomlTypeError)) throw error;
    const { message, start, end } = locateTypeError(parseTomlWithSpans(text), error);
    return [message, text.slice(start, end)];
  }
  throw new Error('an error was expected');
}

const point = struct('Point', { x: integer('u8', 0n, 255n), label: string }, { required: ['x'] });
const file = struct('File', {
  name: string,
  flags: array(boolean),
  points: map(point),
  level: variant('low', 'high'),
  extra: oneOf<unknown>({ expected: 'a string or list', string: (s) => s, array: strings, table: point }),
});

describe('decoders', () => {
  it('read known keys and list unused ones', () => {
    const context = new DecodeContext();
    const text = 'name = "n"\nzz = 1\nflags = [true]\n[points.b]\nx = 1\n[points.a]\nx = 2\ny = 3\n';
    const value = file(parseToml(text), context);
    expect(value.name).toBe('n');
    expect(value.flags).toEqual([true]);
    expect(Array.from(value.points?.keys() ?? [])).toEqual(['a', 'b']);
    expect(value.points?.get('a')).toEqual({ x: 2n });
    expect(value.level).toBeUndefined();
    expect(context.unused).toEqual(['zz', 'points.a.y']);
  });

  it.each<[string, string, string]>([
    ['name = 1', 'invalid type: integer `1`, expected a string', '1'],
    [
      'points.a.x = 99999999999999999999',
      'invalid type: integer `99999999999999999999` as i128, expected u8',
      '99999999999999999999',
    ],
    [
      'extra = 99999999999999999999',
      'invalid type: integer `99999999999999999999` as u128, expected a string or list',
      '99999999999999999999',
    ],
    [
      'extra = -99999999999999999999',
      'invalid type: integer `-99999999999999999999` as i128, expected a string or list',
      '-99999999999999999999',
    ],
    ['flags = 1.5', 'invalid type: floating point `1.5`, expected a sequence', '1.5'],
    ['flags = [true, "x"]', 'invalid type: string "x", expected a boolean', '"x"'],
    ['[points.a]', 'missing field `x`', '[points.a]'],
    ['points.a.x = 256', 'invalid value: integer `256`, expected u8', '256'],
    ['points.a = 1', 'invalid type: integer `1`, expected struct Point', '1'],
    ['points.a = []', 'invalid length 0, expected struct Point with 2 elements', '[]'],
    ['points.a = [1, 2]', 'invalid type: integer `2`, expected a string', '2'],
    ['level = "x"', 'unknown variant `x`, expected one of `low`, `high`', '"x"'],
    ['level = {}', 'wanted exactly 1 element, found 0 elements', '{}'],
    ['level = {low = 1, high = 2}', 'wanted exactly 1 element, more than 1 element', '{low = 1, high = 2}'],
    ['level = 1', 'wanted string or table', '1'],
    ['extra = true', 'invalid type: boolean `true`, expected a string or list', 'true'],
    ['extra = ["a", 1]', 'invalid type: integer `1`, expected a string\n\n', '["a", 1]'],
    [
      'extra = {x = 1, label = 2}',
      'invalid type: integer `2`, expected a string\n\n\nin `label`\n',
      '{x = 1, label = 2}',
    ],
    ['extra = {x = "a"}', 'invalid type: string "a", expected u8\n\nin `x`\n', '{x = "a"}'],
    ['extra = {}', 'missing field `x`', '{}'],
  ])('refuse %j', (text, message, place) => {
    expect(failure(file, text)).toEqual([message, place]);
  });

  it('list the unused keys of a document, and the path of an error', () => {
    const used = 'name = "n"\n[points.b]\nx = 1\n[points.a]\nx = 2\n';
    const quick = decodeDocument(file, parseToml(used));
    expect(quick).toEqual({ value: read(file, used), unused: [] });
    expect(decodeDocument(file, parseToml(`${used}y = 3\nz = 4\n`)).unused).toEqual([
      'points.a.y',
      'points.a.z',
    ]);
    let wrong: unknown;
    try {
      decodeDocument(file, parseToml(`${used}[points.c]\nx = "x"\n`));
    } catch (error) {
      wrong = error;
    }
    expect(wrong).toBeInstanceOf(TomlTypeError);
    expect(wrong).toMatchObject({ path: ['points', 'c', 'x'] });
  });

  it('report an invalid key at the key', () => {
    const lower = map(string, (key) => (key === key.toLowerCase() ? null : `no ${key}`));
    expect(failure(lower, 'a = "x"\nB = "y"')).toEqual(['no B', 'B']);
  });

  it('accept any value except integers beyond 64 bits', () => {
    const document = map(anyValue);
    expect(read(document, 'a = [1, {b = 1979-05-27}]').size).toBe(1);
    expect(failure(document, 'a = [1, 9223372036854775808]')[0]).toBe('u64 value was too large');
    expect(failure(document, 'a = {b = 99999999999999999999}')).toEqual([
      'invalid type: integer `99999999999999999999` as i128, expected any valid TOML value',
      '99999999999999999999',
    ]);
  });

  it.each<[string, string]>([
    ['"a\\"\\\\\\n\\u0001é"', 'string "a\\"\\\\\\n\\u{1}é"'],
    ['"e\u0301\u200b"', 'string "e\\u{301}\\u{200b}"'],
    ['1e30', 'floating point `1000000000000000000000000000000.0`'],
    ['-2.5e-9', 'floating point `-0.0000000025`'],
    ['-0.0', 'floating point `-0.0`'],
    ['3.0', 'floating point `3.0`'],
    ['inf', 'floating point `inf`'],
    ['nan', 'floating point `NaN`'],
    ['[]', 'sequence'],
    ['{}', 'map'],
    ['07:32', 'map'],
  ])('describe the value %s', (text, name) => {
    expect(describeValue(parseToml(`x = ${text}`).get('x') ?? '')).toBe(name);
  });
});
