/** A loaded `Cargo.toml`. Cargo Book: The Manifest Format. */
import type { Message } from '../errors/wording.ts';
import type { Dependency, Summary } from '../summary/summary.ts';
import type { PatchedUrl } from '../package-id/patched-url.ts';
import type { TomlTable, TomlValue } from '../toml/value.ts';
import type { InheritableFields } from './inheritable-fields.ts';

/** Language editions of stable cargo. */
export type Edition = '2015' | '2018' | '2021' | '2024';

/** A version of the resolver. */
export type Resolver = '1' | '2' | '3';

/** The kind of a target. */
export type TargetKind = 'lib' | 'bin' | 'example' | 'test' | 'bench' | 'custom-build';

/** A target, after discovery. Listed in the order lib, bins, examples, tests, benches, build script. */
export interface Target {
  readonly kind: TargetKind;
  /** `crate_types` in the document. */
  readonly crateTypes: readonly string[];
  /** `kind` in the document (`["proc-macro"]`, `["lib"]`, `["bin"]`, …). */
  readonly kinds: readonly string[];
  readonly name: string;
  /** Absolute. */
  readonly srcPath: string;
  /** `future` is valid for a target, but not for a package. */
  readonly edition: Edition | 'future';
  /** null if missing. */
  readonly requiredFeatures: readonly string[] | null;
  readonly doc: boolean;
  readonly doctest: boolean;
  readonly test: boolean;
}

/** One entry of `[patch]`: the URL or registry, and the replacing dependency. */
export interface Patch {
  /** The patched source. */
  readonly source: PatchedUrl;
  readonly dependency: Dependency;
  /** Where it is defined, for messages: the path of the manifest, or the configuration. */
  readonly definedIn: string;
}

/** One entry of `[replace]`. */
export interface Replacement {
  /** The package ID spec, for crates.io if it has no URL. */
  readonly spec: string;
  readonly dependency: Dependency;
}

/** `[workspace]` of a root manifest. */
export interface WorkspaceConfig {
  /** null if missing. */
  readonly members: readonly string[] | null;
  readonly defaultMembers: readonly string[] | null;
  readonly exclude: readonly string[];
  /** `[workspace.metadata]`. */
  readonly metadata: TomlValue | null;
  /** Fields that members inherit. */
  readonly inheritable: InheritableFields;
  /** The whole table; null if it is not written as a table. */
  readonly written: TomlTable | null;
}

/** The relation of a manifest to a workspace: it is a root, names one, or names none. */
export type WorkspaceRelation =
  | { readonly kind: 'root'; readonly config: WorkspaceConfig }
  | { readonly kind: 'member'; readonly root: string | null };

/** Fields of both kinds of manifest. */
interface ManifestBase {
  /** Absolute path of the `Cargo.toml`. */
  readonly path: string;
  readonly workspace: WorkspaceRelation;
  /** `resolver` as written or implied by the edition; null if a virtual manifest has none. */
  readonly resolver: Resolver | null;
  /** True if `resolver` is written. */
  readonly resolverIsExplicit: boolean;
  readonly patches: readonly Patch[];
  readonly replacements: readonly Replacement[];
  readonly hasProfiles: boolean;
  /** True if `[patch]` names a source, even without packages. */
  readonly hasPatches: boolean;
  /** Warnings in cargo's words. `metadata` does not print them. */
  readonly warnings: readonly Message[];
  /** Problems that only fail a build, in cargo's words. `metadata` does not print them. */
  readonly buildErrors: readonly string[];
}

/** `[hints]` as written; null for a missing key. */
export interface Hints {
  readonly mostlyUnused: TomlValue | null;
}

/** A manifest without a package, which is a workspace root. */
export interface VirtualManifest extends ManifestBase {
  readonly kind: 'virtual';
}

/** Fields that describe a package to people, as written or inherited. Missing ones are null or empty. */
export interface PackageDescription {
  readonly license: string | null;
  readonly licenseFile: string | null;
  readonly description: string | null;
  readonly readme: string | null;
  readonly repository: string | null;
  readonly homepage: string | null;
  readonly documentation: string | null;
  readonly authors: readonly string[];
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
}

/** A manifest of a package, with inheritance resolved. */
export interface PackageManifest extends ManifestBase, PackageDescription {
  readonly kind: 'package';
  readonly summary: Summary;
  readonly targets: readonly Target[];
  /** `[features]` with implicit features, as `features` in the document. */
  readonly features: ReadonlyMap<string, readonly string[]>;
  readonly edition: Edition;
  readonly links: string | null;
  readonly defaultRun: string | null;
  readonly rustVersion: string | null;
  /** null: unrestricted; empty: forbidden. */
  readonly publish: readonly string[] | null;
  /** `[package.metadata]`. */
  readonly metadata: TomlValue | null;
  /** `[hints]`; null if missing. */
  readonly hints: Hints | null;
  /** Patterns of `exclude` and `include`, as written. */
  readonly exclude: readonly string[];
  readonly include: readonly string[];
  /**
   * The `path` of every dependency that has one, as written, or relative to this manifest's folder if inherited. The
   * order is normal, build and dev-dependencies, then the same for each target.
   */
  readonly dependencyPaths: readonly string[];
}

/** Any manifest. */
export type Manifest = PackageManifest | VirtualManifest;
