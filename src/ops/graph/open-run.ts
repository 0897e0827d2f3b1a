/** A workspace, read from its manifests. */
import type { WholeView, WorkspaceView } from '../../derived/package-view.ts';
import type { EncodedSummaries } from '../../derived/workspace-summaries.ts';
import { TracingFiles } from '../../disk/tracing-files.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import { type OpenedWorkspace, openWorkspace } from '../workspace/open-workspace.ts';
import type { WorkspaceRun } from '../workspace/workspace-run.ts';
import { withPathPackages } from './path-packages.ts';
import { viewWorkspace } from './workspace-view.ts';

/** What was loaded of a workspace, and from where. */
export interface LoadedWorkspace {
  readonly manifestPath: string;
  readonly view: WholeView;
  readonly trace: TracingFiles;
  readonly registries: ReadonlyMap<string, SourceId>;
  /** Of `view`, where they were encoded already. */
  readonly summaries?: EncodedSummaries;
}

/** A workspace that was read from its manifests. */
export interface OpenedRun {
  readonly opened: OpenedWorkspace;
  readonly view: WorkspaceView;
  readonly startedMs: number;
  /** What may be kept of it. Complete when everything else is. */
  readonly loaded: () => LoadedWorkspace;
}

/** Reads the workspace of a run. Throws with cargo's chain of causes. */
export function openRun({ options, manifestPath, files }: WorkspaceRun): OpenedRun {
  const startedMs = Date.now();
  const trace = new TracingFiles(files);
  const opened = openWorkspace(manifestPath, options.config, { workspace: trace, packages: files });
  const view = viewWorkspace(opened.workspace);
  const { registries } = opened;
  const loaded = (): LoadedWorkspace => ({ manifestPath, view: withPathPackages(view), trace, registries });
  return { opened, view, startedMs, loaded };
}
