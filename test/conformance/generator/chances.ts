import fc from 'fast-check';

/** Generates true in about `percent` of all cases; shrinks to false. */
export function sometimes(percent: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 99 }).map((n) => n >= 100 - percent);
}

/** Generates a number from 1 to 50 in about `percent` of all cases, and 0 otherwise. */
export function rarely(percent: number): fc.Arbitrary<number> {
  const steps = Math.round(5000 / percent);
  return fc.integer({ min: 0, max: steps - 1 }).map((n) => Math.max(0, n - (steps - 51)));
}

/** A number that selects from a list, modulo its length. */
export const index = fc.nat({ max: 59 });
