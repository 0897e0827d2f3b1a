/** JSON as cargo prints it: compact, UTF-8, floats with a point, 64-bit integers, dates as tagged tables. */
import { floatText } from '../json/float-text.ts';
import { DATETIME_KEY, type TomlValue } from '../toml/value.ts';

/** Returns a string in quotes. `JSON.stringify` escapes exactly what cargo's writer escapes. */
export function stringText(value: string): string {
  return JSON.stringify(value);
}

/** Returns an array of strings. */
export function stringsText(values: readonly string[]): string {
  return values.length === 0 ? '[]' : JSON.stringify(values);
}

/** Returns a TOML value as JSON, with tables in file order, and `null` for infinity and NaN. */
export function tomlText(value: TomlValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? floatText(value) : 'null';
  if (Array.isArray(value)) {
    let items = '';
    for (const item of value) items += items === '' ? tomlText(item) : `,${tomlText(item)}`;
    return `[${items}]`;
  }
  if (value instanceof Map) {
    let fields = '';
    value.forEach((field, key) => {
      fields += `${fields === '' ? '' : ','}${JSON.stringify(key)}:${tomlText(field)}`;
    });
    return `{${fields}}`;
  }
  return `{"${DATETIME_KEY}":${JSON.stringify(value.text)}}`;
}
