import type { WorkspaceOptions } from '../workspace/workspace-run.ts';

/** What the command line asks of `metadata`. */
export interface MetadataOptions extends WorkspaceOptions {
  /** Null: the current format, with a warning once the workspace is loaded. */
  readonly formatVersion: 1 | null;
  readonly noDeps: boolean;
  readonly filterPlatforms: readonly string[];
  readonly idForm: 'legacy' | 'spec';
}
