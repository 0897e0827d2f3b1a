/** A software bill of materials before it has a format. */
import type { DependencyKind } from '../../core/summary/summary.ts';
import type { DeclaredLicense } from './declared-license.ts';

/** The packages of a build, and how they depend on each other. */
export interface BillOfMaterials {
  /** The name of the workspace. */
  readonly workspace: string;
  /** Indexes into `components` of the packages that the document is about. Never empty. */
  readonly roots: readonly number[];
  /** Sorted by name, version and source. */
  readonly components: readonly BillComponent[];
  /** The targets of the build, sorted; null for all targets. */
  readonly targets: readonly string[] | null;
  /** The creation time; null if it is unknown. */
  readonly created: Date | null;
}

/** A package. */
export interface BillComponent {
  readonly name: string;
  readonly version: string;
  /** Differs from that of every other component, unless two sources have the same URL. */
  readonly purl: string;
  /** True if the package has a binary. */
  readonly isApplication: boolean;
  /** True if normal dependencies lead from a root to the package; false if it serves only builds or tests. */
  readonly isRuntime: boolean;
  /** Hex SHA-256 of the `.crate`; null for other sources. */
  readonly checksum: string | null;
  /** The address of the `.crate` or of the git commit; null if it is unknown. */
  readonly downloadUrl: string | null;
  readonly license: DeclaredLicense | null;
  /** `Name <email>`, as in the manifest. */
  readonly authors: readonly string[];
  /** On one line. */
  readonly description: string | null;
  readonly homepage: string | null;
  readonly repository: string | null;
  readonly documentation: string | null;
  /** Sorted by `to`. */
  readonly dependencies: readonly BillDependency[];
}

/** A dependency of a component. */
export interface BillDependency {
  /** Index into `components`. */
  readonly to: number;
  /** Never empty. */
  readonly kinds: readonly DependencyKind[];
}
