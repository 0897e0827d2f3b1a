/** TOML tables from fields and maps. */
import type { TomlTable, TomlValue } from './value.ts';

/** The value of a field; null and undefined mean no value. */
export type TomlField = TomlValue | readonly string[] | null | undefined;

/** Returns a table of the fields that have a value, in their order. `K` makes the compiler reject missing fields. */
export function buildTable<K extends string = string>(fields: Readonly<Record<K, TomlField>>): TomlTable {
  const table: TomlTable = new Map();
  for (const [key, value] of Object.entries<TomlField>(fields)) {
    if (value === null || value === undefined) continue;
    table.set(key, isArray(value) ? [...value] : value);
  }
  return table;
}

function isArray(value: TomlValue | readonly string[]): value is TomlValue[] | readonly string[] {
  return Array.isArray(value);
}

/** Returns a table of the entries of `map`, each converted by `valueOf`. */
export function mapTable<T>(map: ReadonlyMap<string, T>, valueOf: (entry: T) => TomlValue): TomlTable {
  return new Map(Array.from(map, ([key, entry]) => [key, valueOf(entry)]));
}
