/** What one run of `metadata` is about. */
import type { PrintedWorkspace } from '../../derived/package-view.ts';
import type { WrittenText } from '../../files/text-sink.ts';
import type { WorkspaceOptions, WorkspaceRun } from '../workspace/workspace-run.ts';

/** What the command line asks for. */
export interface MetadataOptions extends WorkspaceOptions {
  /** Null: the format that holds today, with a warning once the workspace is loaded. */
  readonly formatVersion: 1 | null;
  readonly noDeps: boolean;
  readonly filterPlatforms: readonly string[];
  readonly idForm: 'legacy' | 'spec';
}

/** What comes out. */
export interface MetadataResult {
  /** The document as one line, without its line break. Throws where what was kept of it can be read no more. */
  readonly document: WrittenText;
  /** Leaves on disk what lets the next run answer sooner. To be called when the document is delivered. */
  readonly remember: () => void;
}

/** What the steps of one run share. */
export type MetadataRun = WorkspaceRun<MetadataOptions>;

/** What is said once the workspace is known. */
export function greet({ warnings }: PrintedWorkspace, { options, context, settings }: MetadataRun): void {
  const said = settings().warnings;
  options.config.sayHeld();
  for (const warning of [...said, ...warnings]) context.report.warning(warning);
  if (options.formatVersion === null) {
    context.report.warning(
      'please specify `--format-version` flag explicitly to avoid compatibility problems',
    );
  }
}
