/** The features and dependencies of a package that a dependent uses if it names no features. Cargo Book: Features. */
import { present } from '../../core/errors/assert.ts';
import { compareBytes } from '../../core/files/compare-bytes.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import type { Dependency, Summary } from '../../core/summary/summary.ts';

/** The use of a feature or dependency. `chosen`: by itself; `enabled`: through a chosen one; `disabled`: on request. */
export type UseStatus = 'chosen' | 'enabled' | 'disabled';

/** A feature of a package. */
export interface FeatureInfo {
  readonly name: string;
  /** The features and dependencies that it enables, as in `[features]`. */
  readonly values: readonly string[];
  /** `chosen` only for `default`. */
  readonly status: UseStatus;
}

/** A dependency, and whether it is in use. `chosen` means that it is not optional. */
export interface DependencyUse {
  readonly dependency: Dependency;
  readonly status: UseStatus;
}

const RANK: Readonly<Record<UseStatus, number>> = { chosen: 0, enabled: 1, disabled: 2 };

/** Returns the features of a package: those in use first, then by name. */
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

/** Returns the normal and build dependencies of a package: those in use first, then by name. */
export function dependenciesInUse({ summary }: PackageManifest): readonly DependencyUse[] {
  const values = Array.from(activeFeatures(summary)).flatMap((name) =>
    present(summary.features.get(name), 'an active feature'),
  );
  // As in cargo, `name?/feature` counts as a use of the dependency here, and `name/feature` does not.
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

/** Returns `default` and all features that it enables; empty without `default`. */
function activeFeatures({ features }: Summary): ReadonlySet<string> {
  const active = new Set(features.has('default') ? ['default'] : []);
  for (const name of active) {
    for (const value of present(features.get(name), 'an active feature')) {
      if (value.kind === 'feature' && features.has(value.feature)) active.add(value.feature);
    }
  }
  return active;
}
