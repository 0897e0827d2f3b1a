/** A loaded `Cargo.toml`. Cargo Book: The Manifest Format. */
import type { Message } from '../errors/wording.ts';
import type { Dependency, Summary } from '../summary/summary.ts';
import type { PatchedUrl } from '../package-id/patched-url.ts';
import type { TomlTable, TomlValue } from '../toml/value.ts';
import type { InheritableFields } from './inheritable-fields.ts';

/** Language editions that cargo knows on the stable channel. */
export type Edition = '2015' | '2018' | '2021' | '2024';

/** What a target is. */
export type TargetKind = 'lib' | 'bin' | 'example' | 'test' | 'bench' | 'custom-build';

/** One target, after discovery. Listed in the order lib, bins, examples, tests, benches, build script. */
export interface Target {
  readonly kind: TargetKind;
  /** As listed under `crate_types` in the document. */
  readonly crateTypes: readonly string[];
  /** As listed under `kind` in the document (`["proc-macro"]`, `["lib"]`, `["bin"]`, …). */
  readonly kinds: readonly string[];
  readonly name: string;
  /** Absolute. */
  readonly srcPath: string;
  /** `future` can be written for a target, though not for a package. */
  readonly edition: Edition | 'future';
  /** null where not written. */
  readonly requiredFeatures: readonly string[] | null;
  readonly doc: boolean;
  readonly doctest: boolean;
  readonly test: boolean;
}

/** One entry of `[patch]`: the URL or registry it is for, and the dependency that replaces. */
export interface Patch {
  /** The source that is patched. */
  readonly source: PatchedUrl;
  readonly dependency: Dependency;
  /** Where it was written: `manifest` or the path of the config file; for messages. */
  readonly definedIn: string;
}

/** One entry of `[replace]`. */
export interface Replacement {
  /** The package id spec; of crates.io where no URL was written. */
  readonly spec: string;
  readonly dependency: Dependency;
}

/** `[workspace]` of a root manifest. */
export interface WorkspaceConfig {
  /** null where the key is absent. */
  readonly members: readonly string[] | null;
  readonly defaultMembers: readonly string[] | null;
  readonly exclude: readonly string[];
  /** `[workspace.metadata]`. */
  readonly metadata: TomlValue | null;
  /** What members inherit. */
  readonly inheritable: InheritableFields;
  /** The whole table; null where something else stands for it. */
  readonly written: TomlTable | null;
}

/** How a manifest relates to a workspace: it is a root, points at one, or says nothing. */
export type WorkspaceRelation =
  | { readonly kind: 'root'; readonly config: WorkspaceConfig }
  | { readonly kind: 'member'; readonly root: string | null };

/** What both kinds of manifest have. */
interface ManifestBase {
  /** Absolute path of the `Cargo.toml`. */
  readonly path: string;
  readonly workspace: WorkspaceRelation;
  /** `resolver` as set or as implied by the edition; null where a virtual manifest says nothing. */
  readonly resolver: '1' | '2' | '3' | null;
  /** True where `resolver` was written. */
  readonly resolverIsExplicit: boolean;
  readonly patches: readonly Patch[];
  readonly replacements: readonly Replacement[];
  readonly hasProfiles: boolean;
  /** True where `[patch]` names a source, even without a package. */
  readonly hasPatches: boolean;
  /** Warnings in cargo's words; `metadata` prints none of them. */
  readonly warnings: readonly Message[];
  /** Problems that fail a build and nothing else, in cargo's words; `metadata` prints none of them. */
  readonly buildErrors: readonly string[];
}

/** `[hints]`: values as written, null where a key is absent. */
export interface Hints {
  readonly mostlyUnused: TomlValue | null;
}

/** A manifest without a package: only a workspace root. */
export interface VirtualManifest extends ManifestBase {
  readonly kind: 'virtual';
}

/** A manifest of a package, with inheritance resolved. */
export interface PackageManifest extends ManifestBase {
  readonly kind: 'package';
  readonly summary: Summary;
  readonly targets: readonly Target[];
  /** `[features]` with implicit features, values printed canonically: as `features` in the document. */
  readonly features: ReadonlyMap<string, readonly string[]>;
  readonly edition: Edition;
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
  readonly links: string | null;
  readonly defaultRun: string | null;
  readonly rustVersion: string | null;
  /** null: unrestricted; empty: forbidden. */
  readonly publish: readonly string[] | null;
  /** `[package.metadata]`. */
  readonly metadata: TomlValue | null;
  /** `[hints]`, null where absent. */
  readonly hints: Hints | null;
  /** Patterns of `exclude` and `include`, as written. */
  readonly exclude: readonly string[];
  readonly include: readonly string[];
  /**
   * The `path` of every dependency that has one, relative as written (for an inherited one: as seen from this
   * manifest's folder): normal, build and dev-dependencies, then those of each target.
   */
  readonly dependencyPaths: readonly string[];
}

/** Any manifest. */
export type Manifest = PackageManifest | VirtualManifest;
