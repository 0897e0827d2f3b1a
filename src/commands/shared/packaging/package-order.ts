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
    sorted.map((dependent) => {
      return [
        dependent,
        sorted.filter((other) => other !== dependent && dependsOn(dependent, other)),
      ] as const;
    }),
  );
  const ordered: T[] = [];
  const visited = new Set<T>();
  const visit = (member: T): void => {
    if (visited.has(member)) return;
    visited.add(member);
    for (const dependency of present(dependencies.get(member), 'a package to sort')) visit(dependency);
    ordered.push(member);
  };
  for (const member of sorted) visit(member);
  return { packages: ordered, dependencies };
}

/** Returns true if some of the packages depend on others of them after publishing. */
export function needEachOther<T extends Orderable>({
  dependencies,
}: Pick<PackageOrder<T>, 'dependencies'>): boolean {
  return Array.from(dependencies.values()).some((list) => list.length > 0);
}

/** Returns true if `dependent` has a path dependency on `other` that publishing replaces with a registry dependency. */
function dependsOn(dependent: Orderable, other: Orderable): boolean {
  return dependent.manifest.summary.dependencies.some(
    (dependency) =>
      dependency.source.kind === 'path' &&
      isPublishedDependency(dependency) &&
      isSameSource(dependency.source, other.manifest.summary.id.source),
  );
}

/** Returns false for a dev-dependency without a version: the published manifest omits it. */
export function isPublishedDependency({ kind, req }: Dependency): boolean {
  return kind !== 'dev' || !req.acceptsAny;
}
