/** The resolver's result: which packages, which features, and who depends on whom for what reason. */
import type { PackageId } from '../package-id/package-id.ts';
import type { Dependency, Summary } from '../summary/summary.ts';

/** An edge of the graph. */
export interface ResolvedEdge {
  /** Index of the package that is depended on. With `[replace]` that is the replaced one: see `replacement`. */
  readonly to: number;
  /** The declarations that lead to it, equal ones once, in the order of the manifest. */
  readonly dependencies: readonly Dependency[];
}

/** One package of the graph. */
export interface ResolvedPackage {
  readonly id: PackageId;
  readonly summary: Summary;
  /** Activated features, sorted bytewise. */
  readonly features: readonly string[];
  /** Sorted by target; dev-dependencies only of members. */
  readonly edges: readonly ResolvedEdge[];
  /** Index of the package that `[replace]` puts in its place; null for all others. */
  readonly replacement: number | null;
}

/** A solved graph. */
export interface Resolution {
  /** Sorted by package id. */
  readonly packages: readonly ResolvedPackage[];
  /** Patches that no package of the graph came from. */
  readonly unusedPatches: readonly PackageId[];
}
