import fc from 'fast-check';
import { parse, stringify, TomlDate } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parseToml, parseTomlWithSpans } from '../../../src/core/toml/parse.ts';
import type { TomlTable, TomlValue } from '../../../src/core/toml/value.ts';

/** Converts a value to plain data. Tables become lists of entries, so that order counts. */
function plain(value: TomlValue): unknown {
  if (value instanceof Map) return { table: Array.from(value, ([key, item]) => [key, plain(item)]) };
  if (Array.isArray(value)) return value.map(plain);
  return value;
}

/** Converts a value of smol-toml. Sorts keys, as smol-toml does not keep the order of keys that look like integers. */
function plainSecond(value: unknown): unknown {
  if (value instanceof TomlDate) return 'date';
  if (Array.isArray(value)) return value.map(plainSecond);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([key, item]) => [key, plainSecond(item)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  }
  return value;
}

function unordered(value: TomlValue): unknown {
  if (value instanceof Map) {
    return Array.from(value, ([key, item]) => [key, unordered(item)] as const).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    );
  }
  if (Array.isArray(value)) return value.map(unordered);
  return typeof value === 'object' ? 'date' : value;
}

describe('parseToml', () => {
  it.each<[string, TomlValue]>([
    ['0', 0n],
    ['+5', 5n],
    ['-17', -17n],
    ['1_000', 1000n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', 9223372036854775808n],
    ['0xDEAD_beef', 0xdeadbeefn],
    ['0o17', 15n],
    ['0b101', 5n],
    ['1.0', 1],
    ['-0.0', -0],
    ['6.626e-34', 6.626e-34],
    ['1_0.2_5E+1', 102.5],
    ['inf', Infinity],
    ['-inf', -Infinity],
    ['nan', Number.NaN],
    ['-nan', Number.NaN],
    ['true', true],
    ['false', false],
    ['"\\b\\e\\f\\n\\r\\t\\\\\\"\\x41\\u00e9\\U0001F600"', '\b\x1b\f\n\r\t\\"Aé😀'],
    ["'C:\\n'", 'C:\\n'],
    ['"""\na\\\n   b\r\nc"""', 'ab\r\nc'],
    ['"""a""b"""""', 'a""b""'],
    ["'''\r\na\\'b'''''", "a\\'b''"],
    ['[1, [2], { a = 3 },]', [1n, [2n], new Map([['a', 3n]])]],
    ['[ # c\n 1 # d\n , # e\n]', [1n]],
    [
      '{\n a = 1, # c\n b.c = 2,\n}',
      new Map<string, TomlValue>([
        ['a', 1n],
        ['b', new Map([['c', 2n]])],
      ]),
    ],
    ['{ a = 1, b }', new Map([['a', 1n]])],
  ])('reads %s', (text, value) => {
    expect(parseToml(`x = ${text}\n`).get('x')).toEqual(value);
  });

  it.each([
    ['1979-05-27T07:32:00Z', '1979-05-27T07:32:00Z'],
    ['1979-05-27 07:32:00z', '1979-05-27T07:32:00Z'],
    ['1979-05-27t00:32:00.999999-07:00', '1979-05-27T00:32:00.999999-07:00'],
    ['1979-05-27T07:32', '1979-05-27T07:32'],
    ['1979-05-27T07:32Z', '1979-05-27T07:32Z'],
    ['1979-05-27T00:00:00.500', '1979-05-27T00:00:00.5'],
    ['1979-05-27T00:00:00.1234567899', '1979-05-27T00:00:00.123456789'],
    ['1979-05-27T00:00:00-00:00', '1979-05-27T00:00:00+00:00'],
    ['1980-02-29', '1980-02-29'],
    ['23:59:60', '23:59:60'],
    ['07:32', '07:32'],
    ['07:32:00.000', '07:32:00.0'],
    ['07:32:00.0000000009', '07:32:00.0'],
  ])('prints the date or time %s as %s', (text, printed) => {
    expect(parseToml(`x = ${text}`).get('x')).toEqual({ kind: 'datetime', text: printed });
  });

  it('orders keys by their first mention, and tables by their own header', () => {
    const text = '10 = 1\n2 = 2\nb.c = 3\n[x.y]\n[z]\n[x]\nk = 1\n[[t]]\n[[t]]\n1 = 1\n';
    expect(plain(parseToml(text))).toEqual({
      table: [
        ['10', 1n],
        ['2', 2n],
        ['b', { table: [['c', 3n]] }],
        ['z', { table: [] }],
        [
          'x',
          {
            table: [
              ['y', { table: [] }],
              ['k', 1n],
            ],
          },
        ],
        ['t', [{ table: [] }, { table: [['1', 1n]] }]],
      ],
    });
  });

  it('accepts a byte order mark and both kinds of line breaks', () => {
    expect(plain(parseToml('\ufeffa = 1\r\n[b]\r\nc = 2'))).toEqual({
      table: [
        ['a', 1n],
        ['b', { table: [['c', 2n]] }],
      ],
    });
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('accepts the key %j like any other', (key) => {
    expect(parseToml(`"${key}" = 1\n[t."${key}"]\n`).get(key)).toBe(1n);
  });

  const key = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9_-]{1,6}$/),
    fc.string({ maxLength: 4 }),
    fc.constantFrom('a', 'b', 'a.b', '1'),
  );
  const scalar = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.boolean(),
  );
  const { table } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, scalar, fc.array(tie('value'), { maxLength: 3 }), tie('table')),
    table: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }));

  it('reads documents that smol-toml prints as smol-toml does', () => {
    fc.assert(
      fc.property(table, (data) => {
        let text: string;
        try {
          text = stringify(data);
        } catch {
          return;
        }
        const read = parseToml(text);
        expect(unordered(read)).toEqual(plainSecond(parse(text, { integersAsBigInt: true })));
      }),
      { numRuns: 300 },
    );
  });

  const lines = fc.constantFrom(
    '[a]',
    '[a.b]',
    '[b]',
    '[[c]]',
    '[c.d]',
    '[[c.d]]',
    'a = 1',
    'b = 2',
    'a.b = 1',
    'b.c = "x"',
    'd = [1, {a = 1}]',
    'd.e.f = 1',
    'e = {a.b = 1, a.c = 2}',
    'e.a = 1',
    '# x',
    '',
  );

  it('allows and forbids additions to tables as smol-toml does', () => {
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 8 }), (chosen) => {
        const text = chosen.join('\n');
        let expected: unknown;
        try {
          expected = plainSecond(parse(text, { integersAsBigInt: true }));
        } catch {
          expected = 'refused';
        }
        let read: unknown;
        try {
          read = unordered(parseToml(text));
        } catch {
          read = 'refused';
        }
        expect(read).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('parseTomlWithSpans', () => {
  const text = 'a = 1\n[b.c]\nd.e = "x"\nf = [1, {g = 2}]\n[[h]]\n[[h]]\ni = 3\n';
  const document = parseTomlWithSpans(text);

  it.each<[(string | number)[], string, string]>([
    [['a'], 'a', '1'],
    [['b'], 'b', 'b'],
    [['b', 'c'], 'c', '[b.c]'],
    [['b', 'c', 'd'], 'd', 'd'],
    [['b', 'c', 'd', 'e'], 'e', '"x"'],
    [['b', 'c', 'f'], 'f', '[1, {g = 2}]'],
    [['b', 'c', 'f', 0], '1', '1'],
    [['b', 'c', 'f', 1], '{g = 2}', '{g = 2}'],
    [['b', 'c', 'f', 1, 'g'], 'g', '2'],
    [['h'], 'h', '[[h]]'],
    [['h', 1], '[[h]]', '[[h]]'],
    [['h', 1, 'i'], 'i', '3'],
  ])('finds %j', (path, key, value) => {
    const spans = document.find(path);
    expect(spans).not.toBeNull();
    expect(text.slice(spans?.key.start, spans?.key.end)).toBe(key);
    expect(text.slice(spans?.value.start, spans?.value.end)).toBe(value);
  });

  it('finds nothing for a path that does not exist', () => {
    expect(document.find(['a', 'b'])).toBeNull();
    expect(document.find(['b', 'x'])).toBeNull();
    expect(document.find(['h', 2])).toBeNull();
  });

  it('reads the same values as parseToml', () => {
    expect(document.table satisfies TomlTable).toEqual(parseToml(text));
  });
});
