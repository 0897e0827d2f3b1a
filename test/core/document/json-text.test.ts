import { describe, expect, it } from 'vitest';
import { stringText, tomlText } from '../../../src/core/document/json-text.ts';

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

  it.each([Number.NaN, Number.NEGATIVE_INFINITY])('prints %d as null', (value) => {
    expect(tomlText(value)).toBe('null');
  });
});
