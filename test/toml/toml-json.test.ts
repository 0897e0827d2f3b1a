import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseToml } from '../../src/toml/parse.ts';
import { jsonOfTable, tableOfJson } from '../../src/toml/toml-json.ts';
import type { TomlTable, TomlValue } from '../../src/toml/value.ts';

const { table: tables } = fc.letrec<{ value: TomlValue; table: TomlTable }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double(),
    fc.constant<TomlValue>({ kind: 'datetime', text: '1979-05-27T07:32:00Z' }),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('table'),
  ),
  table: fc
    .array(
      fc.tuple(fc.oneof(fc.string(), fc.constantFrom('1', '0', '__proto__', 'toString')), tie('value')),
      {
        maxLength: 6,
      },
    )
    .map((entries) => new Map(entries)),
}));

/** With the order of keys, and -0 another number than 0. */
function spelled(value: TomlValue): unknown {
  if (value instanceof Map) return { table: Array.from(value, ([key, item]) => [key, spelled(item)]) };
  return Array.isArray(value) ? value.map(spelled) : Object.is(value, -0) ? '-0' : value;
}

describe('a table as JSON', () => {
  it('is read back as it was', () => {
    fc.assert(
      fc.property(tables, (table) => {
        expect(spelled(tableOfJson(jsonOfTable(table)))).toEqual(spelled(table));
      }),
    );
  });

  it('keeps what a document says', () => {
    const table = parseToml(
      'a = 1\nb = -0.0\nc = nan\nd = inf\ne = [1979-05-27, { f = [] }]\n"1" = "integer"\n0 = []\n',
    );
    expect(spelled(tableOfJson(jsonOfTable(table)))).toEqual(spelled(table));
  });

  it.each(['1', 'null', '[]', '{".a": null}', '{".a": ["integer"]}', '{".a": ["other", "1"]}', '{'])(
    'is nothing else: %s',
    (text) => {
      expect(() => tableOfJson(text)).toThrow(SyntaxError);
    },
  );
});
