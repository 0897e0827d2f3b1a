/** A manifest between its text and what is made of it. */
import type { Message } from '../errors/wording.ts';
import type { Files } from '../files/files.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { ParsedTexts } from '../summary/parsed-texts.ts';
import type { InheritanceRoot } from './inheritable-fields.ts';
import type { WorkspaceRelation } from './manifest.ts';
import type { RawManifest } from './raw-manifest.ts';

/** What a manifest's text is read with. */
export interface ParseManifestOptions {
  /** Absolute, normalised path of the `Cargo.toml`. */
  readonly path: string;
  /** Where the package comes from. */
  readonly source: SourceId;
  readonly sources: SourceTable;
  /** For target discovery, readme and build script. */
  readonly files: Files;
  /** The source of a registry that config names; throws where there is none. */
  readonly registry: (name: string) => SourceId;
  /**
   * The workspace root that a manifest which is none itself inherits from; `pointer` is its
   * `package.workspace`. Called only where something is inherited. Throws where there is no root.
   */
  readonly inheritFrom: (pointer: string | null) => InheritanceRoot;
  /** For who reads many manifests. */
  readonly parsed?: ParsedTexts;
}

/** A manifest in the making. */
export interface ManifestDraft extends Required<ParseManifestOptions> {
  readonly text: string;
  readonly raw: RawManifest;
  readonly workspace: WorkspaceRelation;
  /** Absolute path of the folder that the manifest stands in. */
  readonly root: string;
  readonly warnings: Message[];
  readonly unusedKeys: readonly string[];
}
