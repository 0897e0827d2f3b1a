/** TOML values as parsed, without loss of information. */

/** A date or time with the text that cargo prints for it. */
export interface TomlDatetime {
  readonly kind: 'datetime';
  readonly text: string;
}

/** The only key of the table that a date becomes if cargo reads it as a table. JSON output contains it. */
export const DATETIME_KEY = '$__toml_private_datetime';

/** A table in file order. The place of a key is that of its first mention. */
export type TomlTable = Map<string, TomlValue>;

/** Integers are `bigint` (at most 128 bits), floats are `number`. */
export type TomlValue = string | bigint | number | boolean | TomlDatetime | TomlValue[] | TomlTable;
