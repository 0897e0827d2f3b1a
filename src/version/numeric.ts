/** A version number of up to 64 bits: a `number` where that is exact, else a `bigint` (never a small bigint). */
export type Numeric = number | bigint;

/** Order of two version numbers: negative, 0 or positive. */
export function compareNumeric(a: Numeric, b: Numeric): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
