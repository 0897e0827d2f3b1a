/** Sets of feature names that can be compared by a key. */
import { compareBytes } from '../files/compare-bytes.ts';

/** Feature names that a dependency requests, sorted bytewise without duplicates. `key` is equal for equal sets. */
export interface FeatureSet {
  readonly names: readonly string[];
  readonly key: string;
}

/** The empty set. */
export const NO_FEATURES: FeatureSet = { names: [], key: '' };

/** Returns the set of `names`, which may be unsorted and have duplicates. */
export function toFeatureSet(names: Iterable<string>): FeatureSet {
  const sorted = Array.from(new Set(names)).sort(compareBytes);
  return sorted.length === 0 ? NO_FEATURES : { names: sorted, key: sorted.join('\n') };
}

/** Returns the union of both sets. */
export function unite(set: FeatureSet, others: ReadonlySet<string>): FeatureSet {
  return others.size === 0 ? set : toFeatureSet([...set.names, ...others]);
}
