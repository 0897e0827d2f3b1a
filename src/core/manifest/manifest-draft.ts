/** Manifests that are not complete yet. */
import type { Files } from '../files/files.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { ParseCache } from '../summary/parse-cache.ts';
import type { BuildDependencyScope } from './build-dependency.ts';
import type { InheritanceRoot } from './inheritable-fields.ts';
import type { WorkspaceRelation } from './manifest.ts';
import type { RawManifest } from './raw-manifest.ts';

/** The place of a manifest, and the sources that it may name. */
export interface ManifestOrigin {
  /** Absolute, normalized path of the `Cargo.toml`. */
  readonly path: string;
  /** The source of the package. */
  readonly source: SourceId;
  readonly sources: SourceTable;
  /** Returns the source of a registry named in the configuration; throws if there is none. */
  readonly registry: (name: string) => SourceId;
}

/** Inputs for reading a manifest. */
export interface ParseManifestOptions extends ManifestOrigin {
  /** For target discovery, readme and build script. */
  readonly files: Files;
  /**
   * Returns the workspace root that a member's manifest inherits from; `pointer` is its `package.workspace`. Called
   * only if something is inherited. Throws if there is no root.
   */
  readonly inheritFrom: (pointer: string | null) => InheritanceRoot;
  /** The parse cache, for callers that read many manifests. */
  readonly parsed?: ParseCache;
}

/** A manifest that is being built. */
export interface ManifestDraft {
  /** Absolute, normalized path of the `Cargo.toml`. */
  readonly path: string;
  readonly text: string;
  readonly raw: RawManifest;
  /** Dotted, in file order. */
  readonly unusedKeys: readonly string[];
  readonly workspace: WorkspaceRelation;
  /** See `ParseManifestOptions`. */
  readonly files: Files;
  /** See `ParseManifestOptions`. */
  readonly inheritFrom: (pointer: string | null) => InheritanceRoot;
  /** For its dependencies. `scope.warnings` receives all warnings of the manifest, in cargo's order. */
  readonly scope: BuildDependencyScope;
}
