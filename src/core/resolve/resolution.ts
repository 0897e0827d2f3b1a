/** The resolver's result: packages, features and dependencies. */
import type { PackageId } from '../package-id/package-id.ts';
import type { Dependency, DependencyKind, Summary } from '../summary/summary.ts';

/** The indexes of the kinds in cargo's enum, by which it sorts and hashes them. */
export const KIND_ORDER: Readonly<Record<DependencyKind, number>> = { normal: 0, dev: 1, build: 2 };

/** An edge of the graph. */
export interface ResolvedEdge {
  /** Index of the target package. With `[replace]`, that of the replaced package: see `replacement`. */
  readonly to: number;
  /** The declarations that led to it, without duplicates, in the order of the manifest. */
  readonly dependencies: readonly Dependency[];
}

/** One package of the graph. */
export interface ResolvedPackage {
  readonly id: PackageId;
  readonly summary: Summary;
  /** Activated features, sorted bytewise. */
  readonly features: readonly string[];
  /** Sorted by target. Includes dev-dependencies only of members. */
  readonly edges: readonly ResolvedEdge[];
  /** Index of its `[replace]` replacement; null if it has none. */
  readonly replacement: number | null;
}

/** A resolved graph. */
export interface Resolution {
  /** Sorted by package ID. */
  readonly packages: readonly ResolvedPackage[];
  /** Patches that the graph does not contain. */
  readonly unusedPatches: readonly PackageId[];
}
