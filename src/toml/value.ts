/** TOML values as parsed: nothing that a document says is lost. */

/** A date or time with the text that cargo prints for it. */
export interface TomlDatetime {
  readonly kind: 'datetime';
  readonly text: string;
}

/** Where cargo's reader takes a date for a table, this is its one key; documents show it. */
export const DATETIME_KEY = '$__toml_private_datetime';

/** A table in file order; a key stands where it was first mentioned. */
export type TomlTable = Map<string, TomlValue>;

/** Integers are `bigint` (64 bits), floats `number`. */
export type TomlValue = string | bigint | number | boolean | TomlDatetime | TomlValue[] | TomlTable;
