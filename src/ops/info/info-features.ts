/** What of a package is used by whoever depends on it without naming features. Cargo Book: Features. */
import { compareBytes } from '../../files/compare-bytes.ts';
import type { PackageManifest } from '../../manifest/manifest.ts';
import type { Dependency, Summary } from '../../summary/summary.ts';

/** `chosen`: in use by itself; `enabled`: something chosen brings it; `disabled`: only on demand. */
export type UseStatus = 'chosen' | 'enabled' | 'disabled';

/** A feature. */
export interface FeatureInfo {
  readonly name: string;
  /** What it turns on, as `[features]` has it. */
  readonly values: readonly string[];
  /** `chosen` is `default` alone. */
  readonly status: UseStatus;
}

/** A dependency, and whether it is in use. `chosen` is one that is not optional. */
export interface DependencyUse {
  readonly dependency: Dependency;
  readonly status: UseStatus;
}

const RANK: Readonly<Record<UseStatus, number>> = { chosen: 0, enabled: 1, disabled: 2 };

/** The features of a package, those in use first, by name. */
export function featuresInUse({ features, summary }: PackageManifest): readonly FeatureInfo[] {
  const active = activeFeatures(summary);
  const status = (name: string): UseStatus => {
    if (name === 'default') return 'chosen';
    return active.has(name) ? 'enabled' : 'disabled';
  };
  return Array.from(features, ([name, values]) => ({ name, values, status: status(name) })).sort(
    (a, b) => RANK[a.status] - RANK[b.status] || compareBytes(a.name, b.name),
  );
}

/** The dependencies of a package that others build with, those in use first, by name. */
export function dependenciesInUse({ summary }: PackageManifest): readonly DependencyUse[] {
  const values = Array.from(activeFeatures(summary)).flatMap((name) => summary.features.get(name) ?? []);
  // As cargo has it, `name/feature` does not tell that the dependency is in use, and `name?/feature` does.
  const enabled = new Set(
    values.flatMap((value) =>
      value.kind === 'dep' || (value.kind === 'dep-feature' && value.weak) ? [value.dep] : [],
    ),
  );
  const status = ({ optional, nameInToml }: Dependency): UseStatus => {
    if (!optional) return 'chosen';
    return enabled.has(nameInToml) ? 'enabled' : 'disabled';
  };
  return summary.dependencies
    .filter(({ kind }) => kind !== 'dev')
    .map((dependency) => ({ dependency, status: status(dependency) }))
    .sort((a, b) => RANK[a.status] - RANK[b.status] || compareBytes(a.dependency.name, b.dependency.name));
}

/** `default` and all features of the package that it leads to; none without `default`. */
function activeFeatures({ features }: Summary): ReadonlySet<string> {
  const active = new Set(features.has('default') ? ['default'] : []);
  for (const name of active) {
    for (const value of features.get(name) ?? []) {
      if (value.kind === 'feature' && features.has(value.feature)) active.add(value.feature);
    }
  }
  return active;
}
