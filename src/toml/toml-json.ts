/** TOML values as JSON text from which they can be read back, in a fraction of the time that TOML takes. */
import type { TomlTable, TomlValue } from './value.ts';

/** The text of a table, for `tableOfJson`. */
export function jsonOfTable(table: TomlTable): string {
  return JSON.stringify(written(table));
}

/** The table that `jsonOfTable` was given. Throws `SyntaxError` for any other text. */
export function tableOfJson(text: string): TomlTable {
  const value = read(JSON.parse(text));
  if (value instanceof Map) return value;
  throw new SyntaxError('not a TOML table');
}

// What JSON has a form of stands for itself; all else is an array that begins with its kind.
function written(value: TomlValue): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return ['integer', `${value}`];
  // JSON has neither -0 nor what is no number.
  if (typeof value === 'number') return ['float', Object.is(value, -0) ? '-0' : `${value}`];
  if (Array.isArray(value)) return ['array', ...value.map(written)];
  return value instanceof Map
    ? Object.fromEntries(Array.from(value, ([key, item]) => [`.${key}`, written(item)]))
    : ['datetime', value.text];
}

function read(value: unknown): TomlValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return readTagged(value);
  if (typeof value !== 'object' || value === null) throw new SyntaxError('not a TOML value');
  const table: TomlTable = new Map();
  for (const [key, item] of Object.entries(value)) table.set(key.slice(1), read(item));
  return table;
}

function readTagged([kind, ...rest]: readonly unknown[]): TomlValue {
  const [text] = rest;
  if (kind === 'array') return rest.map(read);
  if (typeof text !== 'string') throw new SyntaxError('not a TOML value');
  if (kind === 'integer') return BigInt(text);
  if (kind === 'float') return Number(text);
  if (kind === 'datetime') return { kind, text };
  throw new SyntaxError('not a TOML value');
}
