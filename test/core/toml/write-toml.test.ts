import fc from 'fast-check';
import { parse, TomlDate } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parseToml } from '../../../src/core/toml/parse.ts';
import type { TomlTable, TomlValue } from '../../../src/core/toml/value.ts';
import { writeTomlKey, writeTomlString } from '../../../src/core/toml/write-string.ts';
import { writeToml } from '../../../src/core/toml/write-toml.ts';

/** Converts a value to plain data without the order of keys: sections are written after the other values. */
function unordered(value: TomlValue): unknown {
  if (value instanceof Map) {
    return {
      table: [...value].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, unordered(item)]),
    };
  }
  if (Array.isArray(value)) return value.map(unordered);
  return typeof value === 'object' ? { date: value.text } : value;
}

/** Converts a value of smol-toml in the same way. */
function unorderedSecond(value: unknown): unknown {
  if (value instanceof TomlDate) return { date: value.toISOString().replace('.000', '') };
  if (Array.isArray(value)) return value.map(unorderedSecond);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { table: entries.map(([key, item]) => [key, unorderedSecond(item)]) };
}

/** Text with many quotes, escapes and control characters. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '"',
        '""',
        '"""',
        "'",
        "''",
        "'''",
        '\\',
        '\n',
        '\r',
        '\t',
        '\0',
        '\x7f',
        'é',
        '😀',
      ),
    )
    .map((parts) => parts.join('')),
);
const key = fc.oneof(text, fc.constantFrom('a', 'b-c', 'd_e', '0', '10', '1979-05-27', '', 'x.y', 'a b'));

const { table } = fc.letrec<{ value: TomlValue; table: TomlTable }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
    fc.double(),
    fc.boolean(),
    fc
      .constantFrom(
        '1979-05-27T07:32:00Z',
        '1979-05-27T00:32:00-07:00',
        '1979-05-27T07:32:00',
        '1979-05-27',
        '07:32:00',
      )
      .map((date) => ({ kind: 'datetime' as const, text: date })),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(tie('table'), { maxLength: 3 }),
    tie('table'),
  ),
  table: fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => new Map(entries)),
}));

const of = (value: TomlValue): string => writeToml(new Map([['k', value]]));

describe('writeToml', () => {
  it('writes documents that parseToml restores', () => {
    fc.assert(
      fc.property(table, (document) => {
        expect(unordered(parseToml(writeToml(document)))).toEqual(unordered(document));
      }),
    );
  });

  it('writes documents that smol-toml restores', () => {
    fc.assert(
      fc.property(table, (document) => {
        const read = parse(writeToml(document), { integersAsBigInt: true });
        expect(unorderedSecond(read)).toEqual(unordered(document));
      }),
    );
  });

  it('writes the same text again after parsing it', () => {
    fc.assert(
      fc.property(table, (document) => {
        const written = writeToml(document);
        expect(writeToml(parseToml(written))).toBe(written);
      }),
    );
  });
});

describe('a string', () => {
  it.each([
    ['', '""'],
    ['plain é😀', '"plain é😀"'],
    ['a\tb', '"a\\tb"'],
    ['say "x"', '\'say "x"\''],
    ['say\t"x"', '\'say\t"x"\''],
    ['a\\b', "'a\\b'"],
    ['it\'s "x"', '"""it\'s "x""""'],
    ["it's \\", "'''it's \\'''"],
    ['a\nb', '"""\na\nb"""'],
    ['l1\r\nl2', '"""\nl1\\r\nl2"""'],
    ['a\\b\n', "'''\na\\b\n'''"],
    ['q""" \'\'\'', '"q\\"\\"\\" \'\'\'"'],
    ['q""""" \'\'\'\n', '"""\nq""\\""" \'\'\'\n"""'],
    ['\u007f\u0001\b\f', '"\\u007F\\u0001\\b\\f"'],
  ])('%j is written as %s', (value, written) => {
    expect(writeTomlString(value)).toBe(written);
  });
});

describe('a key', () => {
  it.each([
    ['a-b_9', 'a-b_9'],
    ['', '""'],
    ['a.b', '"a.b"'],
    ['é', '"é"'],
    ["it's", '"it\'s"'],
    ['"q"', '\'"q"\''],
    ['a\\b', "'a\\b'"],
    ['both"\'', '"both\\"\'"'],
    ['a\tb', '"a\\tb"'],
    ['a\n"b"', '"a\\n\\"b\\""'],
  ])('%j is written as %s', (value, written) => {
    expect(writeTomlKey(value)).toBe(written);
  });
});

describe('a number', () => {
  it.each([
    [1e10, '10000000000.0'],
    [1e-7, '0.0000001'],
    [-1.5e-10, '-0.00000000015'],
    [1e21, '1000000000000000000000.0'],
    [-0, '-0.0'],
    [1.5, '1.5'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
    [NaN, 'nan'],
    [-9223372036854775808n, '-9223372036854775808'],
  ])('%s is written as %s', (value, written) => {
    expect(of(value)).toBe(`k = ${written}\n`);
  });
});

describe('an array', () => {
  it.each<readonly [string, TomlValue, string]>([
    ['of nothing', [], '[]'],
    ['of one', [1n], '[1]'],
    ['of two', [1n, 2n], '[\n    1,\n    2,\n]'],
    ['of arrays', [[1n, 2n], [3n], []], '[\n    [\n    1,\n    2,\n],\n    [3],\n    [],\n]'],
    ['of more than tables', [1n, new Map([['a', 1n]]), new Map()], '[\n    1,\n    { a = 1 },\n    {},\n]'],
    ['of an array of tables', [[new Map([['a b', [1n, 2n]]])]], '[[{ "a b" = [\n    1,\n    2,\n] }]]'],
  ])('%s is written inside its table', (_name, value, written) => {
    expect(of(value)).toBe(`k = ${written}\n`);
  });
});

describe('a table', () => {
  it('is a section below the values of its parent', () => {
    const inner: TomlTable = new Map<string, TomlValue>([
      ['t', new Map([['v', 1n]])],
      ['w', 2n],
    ]);
    expect(
      writeToml(
        new Map<string, TomlValue>([
          ['a', inner],
          ['b', 3n],
        ]),
      ),
    ).toBe('b = 3\n\n[a]\nw = 2\n\n[a.t]\nv = 1\n');
  });

  it('has no header if it contains only tables', () => {
    expect(of(new Map([['a', new Map([['b', new Map()]])]]))).toBe('[k.a.b]\n');
  });

  it('has a header as an element of an array', () => {
    const elements = [new Map(), new Map([['a', new Map([['b', 1n]])]])];
    expect(of(elements)).toBe('[[k]]\n\n[[k]]\n\n[k.a]\nb = 1\n');
  });

  it('without entries has no text', () => {
    expect(writeToml(new Map())).toBe('');
  });
});
