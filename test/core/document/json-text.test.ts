import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { floatText, stringText, tomlText } from '../../../src/core/document/json-text.ts';

describe('floatText', () => {
  it.each([
    [1e10, '10000000000.0'],
    [1e15, '1000000000000000.0'],
    [1e16, '1e+16'],
    [0.00001, '0.00001'],
    [0.0000123, '0.0000123'],
    [1e-6, '1e-6'],
    [2.5e-8, '2.5e-8'],
    [5e-324, '5e-324'],
    [123456789012345680, '1.2345678901234568e+17'],
    [-0, '-0.0'],
    [0, '0.0'],
    [-1.5, '-1.5'],
    [100, '100.0'],
    [12.25, '12.25'],
    [Number.NaN, 'null'],
    [Number.NEGATIVE_INFINITY, 'null'],
  ])('prints %d as %s', (value, text) => {
    expect(floatText(value)).toBe(text);
  });

  it('prints text that parses to the same float', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(Number(floatText(value)), value)).toBe(true);
      }),
    );
  });
});

describe('stringText', () => {
  it('escapes control characters, quotes and backslashes, and nothing else', () => {
    expect(stringText('a"\\\b\f\n\r\t\u0000\u001b/\u007f\u2028é😀')).toBe(
      '"a\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001b/\u007f\u2028é😀"',
    );
  });
});

describe('tomlText', () => {
  it('keeps order, wide integers, floats and dates', () => {
    const table = new Map<string, Parameters<typeof tomlText>[0]>([
      ['b', 9223372036854775807n],
      ['10', 1],
      ['9', [true, { kind: 'datetime', text: '07:32:00' }]],
      ['t', new Map()],
    ]);
    expect(tomlText(table)).toBe(
      '{"b":9223372036854775807,"10":1.0,"9":[true,{"$__toml_private_datetime":"07:32:00"}],"t":{}}',
    );
  });
});
