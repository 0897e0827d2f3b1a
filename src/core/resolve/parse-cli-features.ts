/** The values of `--features`. Cargo Book: Features, Command-line feature options. */
import { TsregError } from '../errors/error.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import { formatFeatureValue, parseFeatureValue } from '../summary/feature-value.ts';
import type { FeatureValue } from '../summary/summary.ts';

const KIND_ORDER: Readonly<Record<FeatureValue['kind'], number>> = { feature: 0, dep: 1, 'dep-feature': 2 };

/**
 * Reads the values of `--features`: names separated by commas and spaces. Throws `resolve` for `dep:` or two slashes.
 */
export function parseCliFeatures(texts: readonly string[]): readonly FeatureValue[] {
  const values = new Map<string, FeatureValue>();
  for (const text of texts) {
    for (const name of text.split(/[\s,]+/u)) {
      if (name !== '') values.set(name, parseFeatureValue(name));
    }
  }
  const sorted = Array.from(values.values()).sort(compareFeatureValues);
  for (const value of sorted) {
    if (value.kind === 'dep') {
      throw featureError(
        `feature \`${formatFeatureValue(value)}\` is not allowed to use explicit \`dep:\` syntax`,
      );
    }
    if (value.kind === 'dep-feature' && value.feature.includes('/')) {
      throw featureError(`multiple slashes in feature \`${formatFeatureValue(value)}\` is not allowed`);
    }
  }
  return sorted;
}

/** Compares feature values: names first, then `dep:`, then `dep/feature`; each sorted by name. */
export function compareFeatureValues(a: FeatureValue, b: FeatureValue): number {
  if (a.kind === 'feature' && b.kind === 'feature') return compareBytes(a.feature, b.feature);
  if (a.kind === 'dep' && b.kind === 'dep') return compareBytes(a.dep, b.dep);
  if (a.kind === 'dep-feature' && b.kind === 'dep-feature') {
    return (
      compareBytes(a.dep, b.dep) || compareBytes(a.feature, b.feature) || Number(a.weak) - Number(b.weak)
    );
  }
  return KIND_ORDER[a.kind] - KIND_ORDER[b.kind];
}

function featureError(message: string): TsregError {
  return new TsregError(message, { code: 'resolve' });
}
