/** In which order the packages of a workspace are packaged. Cargo Book: cargo package. */
import type { PackageManifest } from '../manifest/manifest.ts';
import { comparePackageIds } from '../package-id/package-id.ts';
import { isSameSource } from '../package-id/source-id.ts';
import type { Dependency } from '../summary/summary.ts';

/** Packages, and which of them need which others of them once they are published. */
export interface PackageOrder {
  /** Every package after those that it needs; otherwise by name, version and source. */
  readonly packages: readonly PackageManifest[];
  /** Of each package those that it needs itself, by name, version and source; without dev-dependencies that are left out of what is published. */
  readonly needs: ReadonlyMap<PackageManifest, readonly PackageManifest[]>;
}

/** Orders packages of one workspace. Where some need each other, the one that was met first comes last. */
export function orderPackages(packages: readonly PackageManifest[]): PackageOrder {
  const sorted = packages.toSorted((a, b) => comparePackageIds(a.summary.id, b.summary.id));
  const needs = new Map(
    sorted.map((each) => [each, sorted.filter((other) => other !== each && isNeeded(other, each))] as const),
  );
  const ordered: PackageManifest[] = [];
  const visited = new Set<PackageManifest>();
  const visit = (manifest: PackageManifest): void => {
    if (visited.has(manifest)) return;
    visited.add(manifest);
    for (const needed of needs.get(manifest) ?? []) visit(needed);
    ordered.push(manifest);
  };
  for (const manifest of sorted) visit(manifest);
  return { packages: ordered, needs };
}

/** True if `manifest` depends on `other` by a path that is replaced by a registry when it is published. */
function isNeeded(other: PackageManifest, manifest: PackageManifest): boolean {
  return manifest.summary.dependencies.some(
    (dependency) =>
      dependency.source.kind === 'path' &&
      isPublished(dependency) &&
      isSameSource(dependency.source, other.summary.id.source),
  );
}

/** Dev-dependencies without a version are left out of the published manifest. */
function isPublished({ kind, req }: Dependency): boolean {
  return kind !== 'dev' || !req.acceptsAny;
}
