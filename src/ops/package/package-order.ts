/** In which order the packages of a workspace are packaged. Cargo Book: cargo package. */
import type { PackageManifest } from '../../manifest/manifest.ts';
import { comparePackageIds } from '../../package-id/package-id.ts';
import { isSameSource } from '../../package-id/source-id.ts';
import type { Dependency } from '../../summary/summary.ts';

/** A package to be put in order. */
export interface Orderable {
  readonly manifest: PackageManifest;
}

/** Packages, and which of them need which others of them once they are published. */
export interface PackageOrder<T extends Orderable> {
  /** Every package after those that it needs; otherwise by name, version and source. */
  readonly packages: readonly T[];
  /**
   * Of each package those that it needs itself, by name, version and source. Dev-dependencies count where they are
   * published.
   */
  readonly needs: ReadonlyMap<T, readonly T[]>;
}

/** Orders packages of one workspace. Where some need each other, the one that was met first comes last. */
export function orderPackages<T extends Orderable>(packages: readonly T[]): PackageOrder<T> {
  const sorted = packages.toSorted((a, b) => comparePackageIds(a.manifest.summary.id, b.manifest.summary.id));
  const needs = new Map(
    sorted.map((each) => [each, sorted.filter((other) => other !== each && isNeeded(other, each))] as const),
  );
  const ordered: T[] = [];
  const visited = new Set<T>();
  const visit = (each: T): void => {
    if (visited.has(each)) return;
    visited.add(each);
    for (const needed of needs.get(each) ?? []) visit(needed);
    ordered.push(each);
  };
  for (const each of sorted) visit(each);
  return { packages: ordered, needs };
}

/** True if `by` depends on `other` over a path that is replaced by a registry when it is published. */
function isNeeded(other: Orderable, by: Orderable): boolean {
  return by.manifest.summary.dependencies.some(
    (dependency) =>
      dependency.source.kind === 'path' &&
      isPublished(dependency) &&
      isSameSource(dependency.source, other.manifest.summary.id.source),
  );
}

/** Dev-dependencies without a version are left out of the published manifest. */
function isPublished({ kind, req }: Dependency): boolean {
  return kind !== 'dev' || !req.acceptsAny;
}
