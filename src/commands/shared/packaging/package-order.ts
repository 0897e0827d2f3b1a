/** The order in which the packages of a workspace are packaged. Cargo Book: cargo package. */
import { present } from '../../../core/errors/assert.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { comparePackageIds } from '../../../core/package-id/package-id.ts';
import { isSameSource } from '../../../core/package-id/source-id.ts';
import type { Dependency } from '../../../core/summary/summary.ts';

/** A package to sort. */
export interface Orderable {
  readonly manifest: PackageManifest;
}

/** Packages and their dependencies among each other after publishing. */
export interface PackageOrder<T extends Orderable> {
  /** Every package after its dependencies; otherwise sorted by name, version and source. */
  readonly packages: readonly T[];
  /**
   * The direct dependencies of each package, sorted by name, version and source. Includes dev-dependencies that are
   * published.
   */
  readonly dependencies: ReadonlyMap<T, readonly T[]>;
}

/** Sorts packages of one workspace. In a dependency cycle, the package that is visited first comes last. */
export function orderPackages<T extends Orderable>(packages: readonly T[]): PackageOrder<T> {
  const sorted = packages.toSorted((a, b) => comparePackageIds(a.manifest.summary.id, b.manifest.summary.id));
  const dependencies = new Map(
    sorted.map((each) => [each, sorted.filter((other) => other !== each && isNeeded(other, each))] as const),
  );
  const ordered: T[] = [];
  const visited = new Set<T>();
  const visit = (each: T): void => {
    if (visited.has(each)) return;
    visited.add(each);
    for (const dependency of present(dependencies.get(each), 'a package to sort')) visit(dependency);
    ordered.push(each);
  };
  for (const each of sorted) visit(each);
  return { packages: ordered, dependencies };
}

/** Returns true if `by` has a path dependency on `other` that publishing replaces with a registry dependency. */
function isNeeded(other: Orderable, by: Orderable): boolean {
  return by.manifest.summary.dependencies.some(
    (dependency) =>
      dependency.source.kind === 'path' &&
      isPublished(dependency) &&
      isSameSource(dependency.source, other.manifest.summary.id.source),
  );
}

/** Returns false for a dev-dependency without a version: the published manifest omits it. */
function isPublished({ kind, req }: Dependency): boolean {
  return kind !== 'dev' || !req.acceptsAny;
}
