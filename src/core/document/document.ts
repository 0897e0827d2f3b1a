/**
 * Types of the document that `metadata --format-version 1` prints. Cargo Book: cargo metadata. In `metadata` tables,
 * the printed bytes keep integers beyond 53 bits and the difference between `1` and `1.0`. Parsing the document into a
 * JavaScript value loses both.
 */

/** A value in a `[package.metadata]` or `[workspace.metadata]` table. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** The whole document. */
export interface MetadataDocument {
  /** In discovery order with `--no-deps`, else sorted by package ID. */
  readonly packages: readonly PackageEntry[];
  /** Package IDs in discovery order. */
  readonly workspace_members: readonly string[];
  /** Package IDs in discovery order. */
  readonly workspace_default_members: readonly string[];
  /** null with `--no-deps`. */
  readonly resolve: ResolveEntry | null;
  /** Absolute. */
  readonly target_directory: string;
  /** Absolute. */
  readonly build_directory: string;
  readonly version: 1;
  /** Absolute. */
  readonly workspace_root: string;
  /** `[workspace.metadata]`. */
  readonly metadata: JsonValue;
}

/** One package. */
export interface PackageEntry {
  readonly name: string;
  readonly version: string;
  /** The package ID by which the rest of the document names the package. */
  readonly id: string;
  readonly license: string | null;
  readonly license_file: string | null;
  readonly description: string | null;
  /** null for packages on disk. */
  readonly source: string | null;
  /** As declared, without any filter. */
  readonly dependencies: readonly DependencyEntry[];
  readonly targets: readonly TargetEntry[];
  readonly features: { readonly [feature: string]: readonly string[] };
  /** Absolute. */
  readonly manifest_path: string;
  /** `[package.metadata]`. */
  readonly metadata: JsonValue;
  /** null means unrestricted, empty means forbidden. */
  readonly publish: readonly string[] | null;
  readonly authors: readonly string[];
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly readme: string | null;
  readonly repository: string | null;
  readonly homepage: string | null;
  readonly documentation: string | null;
  readonly edition: string;
  readonly links: string | null;
  readonly default_run: string | null;
  readonly rust_version: string | null;
  /** `[hints]`. */
  readonly hints?: { readonly 'mostly-unused': JsonValue };
}

/** One declared dependency. */
export interface DependencyEntry {
  /** The name of the package. */
  readonly name: string;
  /** null for a package on disk. */
  readonly source: string | null;
  readonly req: string;
  /** null for a normal dependency. */
  readonly kind: 'dev' | 'build' | null;
  /** The name in the manifest, if `package` is written there; else null. */
  readonly rename: string | null;
  readonly optional: boolean;
  readonly uses_default_features: boolean;
  readonly features: readonly string[];
  /** A target triple or a `cfg` expression; null for every platform. */
  readonly target: string | null;
  /** The URL of the registry's index; null for crates.io. */
  readonly registry: string | null;
  /** Absolute; only for path dependencies. */
  readonly path?: string;
}

/** One target. */
export interface TargetEntry {
  /** `lib` or the crate types of a library, or one of `bin`, `example`, `test`, `bench` and `custom-build`. */
  readonly kind: readonly string[];
  readonly crate_types: readonly string[];
  readonly name: string;
  /** Absolute. */
  readonly src_path: string;
  readonly edition: string;
  readonly 'required-features'?: readonly string[];
  readonly doc: boolean;
  readonly doctest: boolean;
  readonly test: boolean;
}

/** The dependency graph. */
export interface ResolveEntry {
  /** Sorted by package ID. */
  readonly nodes: readonly NodeEntry[];
  /** Package ID; null if the current manifest is virtual. */
  readonly root: string | null;
}

/** One package of the graph. */
export interface NodeEntry {
  /** Package ID. */
  readonly id: string;
  /** The `pkg` of each of `deps`. */
  readonly dependencies: readonly string[];
  /** Sorted by package ID. */
  readonly deps: readonly NodeDependency[];
  /** The activated features, sorted. */
  readonly features: readonly string[];
}

/** One edge of the graph. */
export interface NodeDependency {
  /** The name of the dependency in code. */
  readonly name: string;
  /** Package ID. */
  readonly pkg: string;
  readonly dep_kinds: readonly { readonly kind: 'dev' | 'build' | null; readonly target: string | null }[];
}
