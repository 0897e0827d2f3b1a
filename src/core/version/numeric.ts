/** A version number of up to 64 bits: a `number` if that is exact, else a `bigint` (never a small bigint). */
export type Numeric = number | bigint;

/** Compares two version numbers. Returns a negative number, 0 or a positive one. */
export function compareNumeric(a: Numeric, b: Numeric): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
