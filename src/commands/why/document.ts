/** The paths to packages as JSON. */
import type { DependencyKind } from '../../core/summary/summary.ts';

/** The document of `why --json`. */
export interface WhyDocument {
  /** Version of this format. */
  readonly version: 1;
  /** The packages that match, sorted by ID. */
  readonly packages: readonly WhyEntry[];
}

/** A package, and the paths to it. */
export interface WhyEntry {
  /** The package ID as `metadata` prints it. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly workspace_member: boolean;
  /** The shortest path from each selected member; with `--all`, all paths, the shortest first. Never empty. */
  readonly paths: readonly (readonly WhyStep[])[];
  /** False if there are more paths than the limit of `--all`. */
  readonly complete: boolean;
}

/** A package on a path. */
export interface WhyStep {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The declarations in the package of the step before; empty for the first step. */
  readonly dependencies: readonly WhyDependency[];
}

/** The declaration of a dependency. */
export interface WhyDependency {
  readonly kind: DependencyKind;
  readonly requirement: string;
  /** The source in the manifest: `registry`, `git` or `path`. */
  readonly from: 'registry' | 'git' | 'path';
  /** The name in the manifest if that is not the name of the package; else null. */
  readonly rename: string | null;
  readonly optional: boolean;
  /** The enabled features that enable the dependency, sorted; empty if it is not optional. */
  readonly features: readonly string[];
  /** The target or `cfg(…)` that needs the dependency; null for all. */
  readonly target: string | null;
}
