import type { WorkspaceOptions } from '../shared/workspace/workspace-run.ts';

/** The command-line options of `metadata`. */
export interface MetadataOptions extends WorkspaceOptions {
  /** null for the current format, with a warning once the workspace is loaded. */
  readonly formatVersion: 1 | null;
  readonly noDeps: boolean;
  readonly filterPlatforms: readonly string[];
  readonly idForm: 'legacy' | 'spec';
}
