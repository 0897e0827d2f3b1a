import fc from 'fast-check';

const AT_ONCE = 20;

/** Yields values of `arbitrary` until `budgetMs` is over. The same seed gives the same values. */
export function* samples<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, budgetMs }: { readonly seed: number; readonly budgetMs: number },
): Generator<T, void, undefined> {
  const endsMs = performance.now() + budgetMs;
  for (let round = 0; ; round += 1) {
    for (const value of fc.sample(arbitrary, { seed: seed + round, numRuns: AT_ONCE })) {
      if (performance.now() > endsMs) return;
      yield value;
    }
  }
}
