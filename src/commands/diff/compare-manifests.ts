/** Compares the dependencies and features of two packages. */
import { formatUnpinnedUrl } from '../../core/package-id/source-url.ts';
import type { Dependency, DependencyKind } from '../../core/summary/summary.ts';
import { compareBytes } from '../../core/files/compare-bytes.ts';

/** What a package declares about a dependency. */
export interface DeclaredDependency {
  readonly req: string;
  readonly optional: boolean;
  readonly default_features: boolean;
  /** Sorted. */
  readonly features: readonly string[];
  /** The real name of the package; null if it equals the name in the manifest. */
  readonly package: string | null;
  /** The index of its registry: `sparse+https://…` or `registry+https://…`; null for crates.io. */
  readonly registry: string | null;
}

/** A dependency that only one package has, or that differs. */
export interface DependencyChange {
  /** The name in the manifest. */
  readonly name: string;
  readonly kind: DependencyKind;
  /** `cfg(…)` or a target; null for every target. */
  readonly target: string | null;
  /** null if the package does not have the dependency. */
  readonly old: DeclaredDependency | null;
  readonly new: DeclaredDependency | null;
}

/** A feature that only one package has, or that differs. */
export interface FeatureChange {
  readonly name: string;
  /** The features and dependencies that it enables, in the order of the manifest; null if there is no such feature. */
  readonly old: readonly string[] | null;
  readonly new: readonly string[] | null;
}

/** Returns the changed dependencies by kind (normal, build, dev), then by name. */
export function changedDependencies(
  old: readonly Dependency[],
  fresh: readonly Dependency[],
): readonly DependencyChange[] {
  const [before, after] = [byKey(old), byKey(fresh)];
  return [...new Map([...before, ...after])]
    .map(([key, { nameInToml, kind, platform }]) => ({
      name: nameInToml,
      kind,
      target: platform?.text ?? null,
      old: declared(before.get(key)),
      new: declared(after.get(key)),
    }))
    .filter((change) => JSON.stringify(change.old) !== JSON.stringify(change.new))
    .sort((a, b) => KIND_ORDER[a.kind] - KIND_ORDER[b.kind] || compareBytes(a.name, b.name));
}

/** Returns the changed features by name. The order of the values that a feature enables does not matter. */
export function changedFeatures(
  old: ReadonlyMap<string, readonly string[]>,
  fresh: ReadonlyMap<string, readonly string[]>,
): readonly FeatureChange[] {
  const sortedText = (values: readonly string[] | undefined): string | null =>
    values === undefined ? null : JSON.stringify(values.toSorted(compareBytes));
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((name) => sortedText(old.get(name)) !== sortedText(fresh.get(name)))
    .sort(compareBytes)
    .map((name) => ({ name, old: old.get(name) ?? null, new: fresh.get(name) ?? null }));
}

const KIND_ORDER: Readonly<Record<DependencyKind, number>> = { normal: 0, build: 1, dev: 2 };

function byKey(dependencies: readonly Dependency[]): ReadonlyMap<string, Dependency> {
  const key = ({ kind, platform, nameInToml }: Dependency): string =>
    JSON.stringify([kind, platform?.text, nameInToml]);
  return new Map(dependencies.map((dependency) => [key(dependency), dependency]));
}

/** Returns what the manifest says about a dependency; null if it does not have the dependency. */
function declared(dependency: Dependency | undefined): DeclaredDependency | null {
  if (dependency === undefined) return null;
  const { name, nameInToml, req, optional, defaultFeatures, features, registry } = dependency;
  return {
    req: req.text,
    optional,
    default_features: defaultFeatures,
    features: features.toSorted(compareBytes),
    package: name === nameInToml ? null : name,
    registry: registry === null ? null : formatUnpinnedUrl(registry, { encoded: true }),
  };
}
