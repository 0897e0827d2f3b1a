/** JSON objects with sorted keys. */
import { compareBytes } from '../files/compare-bytes.ts';

/**
 * Returns entries as a JSON object, sorted by key. `JSON.stringify` of an object would put keys that look like numbers
 * first.
 */
export function encodeMap<T>(
  entries: Iterable<readonly [string, T]>,
  encode: (value: T) => string = (value) => JSON.stringify(value),
): string {
  const sorted = Array.from(entries).sort(([a], [b]) => compareBytes(a, b));
  return `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${encode(value)}`).join(',')}}`;
}
