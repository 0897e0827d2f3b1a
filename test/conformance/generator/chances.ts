import fc from 'fast-check';

/** True in about `percent` of all cases; shrinks to false. */
export function sometimes(percent: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 99 }).map((n) => n >= 100 - percent);
}

/** 0 in all but about `percent` of all cases, else a number of 1 to 50. */
export function rarely(percent: number): fc.Arbitrary<number> {
  const steps = Math.round(5000 / percent);
  return fc.integer({ min: 0, max: steps - 1 }).map((n) => Math.max(0, n - (steps - 51)));
}

/** A number that chooses from a list, modulo its length. */
export const index = fc.nat({ max: 59 });
