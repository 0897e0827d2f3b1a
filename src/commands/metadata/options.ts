/** The options of `metadata`. Cargo Book: cargo-metadata(1). */
import type { DocumentField } from '../../core/document/document-fields.ts';
import type { WorkspaceOptions } from '../shared/workspace/workspace-run.ts';

/** The command-line options of `metadata`. */
export interface MetadataOptions extends WorkspaceOptions {
  /** `--format-version`; null for the current format, with a warning once the workspace is loaded. */
  readonly formatVersion: 1 | null;
  /** True to describe only the members, without resolving. */
  readonly noDeps: boolean;
  /** Target triples, or `host-tuple`; empty for all platforms. */
  readonly filterPlatforms: readonly string[];
  /** The form of package IDs. */
  readonly idForm: 'legacy' | 'spec';
  /** The fields to print; not empty. Only `packages` and `resolve` need a resolution. */
  readonly fields: readonly DocumentField[];
}
