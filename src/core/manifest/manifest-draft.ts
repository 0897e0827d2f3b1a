/** Manifests that are not complete yet. */
import type { Message } from '../errors/wording.ts';
import type { Files } from '../files/files.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { ParsedTexts } from '../summary/parsed-texts.ts';
import type { InheritanceRoot } from './inheritable-fields.ts';
import type { WorkspaceRelation } from './manifest.ts';
import type { RawManifest } from './raw-manifest.ts';

/** Inputs for reading a manifest. */
export interface ParseManifestOptions {
  /** Absolute, normalized path of the `Cargo.toml`. */
  readonly path: string;
  /** The source of the package. */
  readonly source: SourceId;
  readonly sources: SourceTable;
  /** For target discovery, readme and build script. */
  readonly files: Files;
  /** Returns the source of a registry named in the configuration; throws if there is none. */
  readonly registry: (name: string) => SourceId;
  /**
   * Returns the workspace root that a member's manifest inherits from; `pointer` is its `package.workspace`. Called
   * only if something is inherited. Throws if there is no root.
   */
  readonly inheritFrom: (pointer: string | null) => InheritanceRoot;
  /** The parse cache, for callers that read many manifests. */
  readonly parsed?: ParsedTexts;
}

/** A manifest that is being built. */
export interface ManifestDraft extends Required<ParseManifestOptions> {
  readonly text: string;
  readonly raw: RawManifest;
  readonly workspace: WorkspaceRelation;
  /** Absolute path of the manifest's folder. */
  readonly root: string;
  readonly warnings: Message[];
  readonly unusedKeys: readonly string[];
}
