import { compareBytes } from '../files/compare-bytes.ts';

/** Feature names that a dependency asks for: sorted bytewise, each once. `key` is equal for equal sets. */
export interface FeatureSet {
  readonly names: readonly string[];
  readonly key: string;
}

/** The set without features. */
export const NO_FEATURES: FeatureSet = { names: [], key: '' };

/** The set of `names`, given in any order and with duplicates. */
export function toFeatureSet(names: Iterable<string>): FeatureSet {
  const sorted = Array.from(new Set(names)).sort(compareBytes);
  return sorted.length === 0 ? NO_FEATURES : { names: sorted, key: sorted.join('\n') };
}

/** What is in either set. */
export function unite(set: FeatureSet, others: ReadonlySet<string>): FeatureSet {
  return others.size === 0 ? set : toFeatureSet([...set.names, ...others]);
}
