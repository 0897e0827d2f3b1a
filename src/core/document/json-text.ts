/** JSON as cargo prints it: compact, UTF-8, floats with a point, 64-bit integers, dates as tagged tables. */
import { DATETIME_KEY, type TomlValue } from '../toml/value.ts';

/** Returns a string in quotes. `JSON.stringify` escapes exactly what cargo's writer escapes. */
export function stringText(value: string): string {
  return JSON.stringify(value);
}

/** Returns an array of strings. */
export function stringsText(values: readonly string[]): string {
  return values.length === 0 ? '[]' : JSON.stringify(values);
}

/**
 * Returns a float in the shortest digits that parse to the same value: without exponent between 1e-5 and 1e16, `null`
 * for infinity and NaN.
 */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  // Always has an exponent, such as `1.5e+0`.
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < -5 || exponent > 15) return `${mantissa}e${exponent < 0 ? '' : '+'}${exponent}`;
  const sign = value < 0 ? '-' : '';
  const digits = mantissa.replace('-', '').replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return `${sign}${whole}.${fraction === '' ? '0' : fraction}`;
}

/** Returns a TOML value as JSON, with tables in file order. */
export function tomlText(value: TomlValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return floatText(value);
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
