/** The types of `parseManifest`. Cargo Book: The Manifest Format. */
import type { JsonValue } from '../core/document/document.ts';
import type { IndexedDependency } from '../core/protocol/indexed-version.ts';

/** A `Cargo.toml`, with inheritance resolved. */
export interface CargoManifest {
  /** `[package]`; null for a virtual manifest. */
  readonly package: ManifestPackage | null;
  /** `[workspace]`; null if missing. */
  readonly workspace: ManifestWorkspace | null;
  /** Of all tables: first `[dependencies]` and its neighbours, then those of `[target]`. */
  readonly dependencies: readonly ManifestDependency[];
  /** `[features]` as written. */
  readonly features: Readonly<Record<string, readonly string[]>>;
}

/** `[package]`. Missing fields are null or empty. */
export interface ManifestPackage {
  readonly name: string;
  readonly version: string | null;
  /** `2015` by default. */
  readonly edition: string;
  readonly rustVersion: string | null;
  readonly description: string | null;
  readonly license: string | null;
  readonly licenseFile: string | null;
  readonly readme: string | null;
  readonly repository: string | null;
  readonly homepage: string | null;
  readonly documentation: string | null;
  readonly authors: readonly string[];
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly links: string | null;
  readonly defaultRun: string | null;
  /** Names of the registries that may have the package. null: all; empty: none, also for a package without version. */
  readonly publish: readonly string[] | null;
  readonly exclude: readonly string[];
  readonly include: readonly string[];
  /** `[package.metadata]`. */
  readonly metadata: JsonValue;
}

/** `[workspace]`. */
export interface ManifestWorkspace {
  /** Paths and patterns, as written. */
  readonly members: readonly string[];
  /** null if missing. */
  readonly defaultMembers: readonly string[] | null;
  readonly exclude: readonly string[];
  /** `[workspace.dependencies]`. */
  readonly dependencies: readonly ManifestDependency[];
  /** `[workspace.metadata]`. */
  readonly metadata: JsonValue;
}

/** One declared dependency. */
export interface ManifestDependency extends Omit<IndexedDependency, 'registry'> {
  /** As written, or relative to the manifest if inherited; null if missing. */
  readonly path: string | null;
  /** URL of the repository; null if missing. */
  readonly git: string | null;
  /** Of `branch`, `tag` and `rev`, at most one is present. */
  readonly branch: string | null;
  readonly tag: string | null;
  readonly rev: string | null;
  /** Name of the registry in the configuration; null if missing. */
  readonly registry: string | null;
  /** URL of the index, which manifests of published packages have instead of `registry`; null if missing. */
  readonly registryIndex: string | null;
}
