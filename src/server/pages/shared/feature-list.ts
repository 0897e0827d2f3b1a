/** The features of a version, and what each of them enables. Cargo Book: Features. */
import type { PublishMetadata } from '../../../core/protocol/publish-metadata.ts';
import { parseFeatureValue } from '../../../core/summary/feature-value.ts';
import type { FeatureValue } from '../../../core/summary/summary.ts';

/** A feature, and the features and dependencies that it enables directly. */
export interface ListedFeature {
  readonly name: string;
  /** Whether a dependency on the crate enables it unless it sets `default-features = false`. */
  readonly isDefault: boolean;
  readonly values: readonly FeatureValue[];
}

/**
 * Returns the features, `default` first and the others by name. An optional dependency implies a feature of its name,
 * unless a feature refers to it with `dep:`. Cargo Book: Features, Optional dependencies.
 */
export function listFeatures({
  features,
  dependencies,
}: Pick<PublishMetadata, 'features' | 'dependencies'>): readonly ListedFeature[] {
  const values = new Map([...features].map(([name, texts]) => [name, texts.map(parseFeatureValue)]));
  const withDepPrefix = new Set(
    [...values.values()].flat().map((value) => (value.kind === 'dep' ? value.dep : null)),
  );
  for (const name of optionalDependencies(dependencies)) {
    if (!values.has(name) && !withDepPrefix.has(name)) values.set(name, [{ kind: 'dep', dep: name }]);
  }
  const defaults = enabledBy('default', values);
  return [...values]
    .map(([name, enabled]) => ({ name, isDefault: defaults.has(name), values: enabled }))
    .sort(
      (a, b) => Number(b.name === 'default') - Number(a.name === 'default') || (a.name < b.name ? -1 : 1),
    );
}

/** Returns the optional dependencies by their names in the manifest, each once. */
export function optionalDependencies(dependencies: PublishMetadata['dependencies']): readonly string[] {
  const names = dependencies
    .filter(({ optional }) => optional)
    .map(({ name, explicitNameInToml }) => explicitNameInToml ?? name);
  return [...new Set(names)];
}

/** Returns `feature` and all features that it enables, directly or through others. */
function enabledBy(
  feature: string,
  values: ReadonlyMap<string, readonly FeatureValue[]>,
): ReadonlySet<string> {
  const enabled = new Set([feature]);
  // The loop also visits the elements that it adds.
  for (const name of enabled) {
    for (const value of values.get(name) ?? []) {
      if (value.kind === 'feature') enabled.add(value.feature);
      // `dependency/feature` enables the feature that an optional dependency implies, `dependency?/feature` does not.
      if (value.kind === 'dep-feature' && !value.weak) enabled.add(value.dep);
    }
  }
  return enabled;
}

/** Returns the ID of a feature's row. */
export function featureAnchor(name: string): string {
  return `feature-${name}`;
}

/** Returns the ID of a dependency's row. `name` is its name in the manifest. */
export function dependencyAnchor(name: string): string {
  return `dependency-${name}`;
}
