/** A workspace, read from its manifests. */
import { type MemberOrigin, meaningOf } from '../../derived/member-record.ts';
import type { WholeView, WorkspaceView } from '../../derived/package-view.ts';
import type { EncodedSummaries } from '../../derived/workspace-summaries.ts';
import { TraceSections } from '../../disk/tracing-files.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import { jsonOfTable } from '../../toml/toml-json.ts';
import { isOnlyPackage, tableOfIndependentMembers } from '../../workspace/independent-members.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type OpenedWorkspace, openWorkspace } from '../workspace/open-workspace.ts';
import type { WorkspaceRun } from '../workspace/workspace-run.ts';
import { withPathPackages } from './path-packages.ts';
import { viewWorkspace } from './workspace-view.ts';

/** What was loaded of a workspace, and from where. */
export interface LoadedWorkspace {
  readonly manifestPath: string;
  readonly view: WholeView;
  /** What was read; null if some of it cannot be compared. */
  readonly trace: () => WorkspaceTrace | null;
  /** How much was read so far: as long as it is the same, so is all of this. NaN if some of it cannot be compared. */
  readonly asked: () => number;
  readonly registries: ReadonlyMap<string, SourceId>;
  /** Of `view`, where they were encoded already. */
  readonly summaries?: EncodedSummaries;
}

/** What was asked of the file system, with the answers, as `TracingFiles.record()` has them; and the root by itself. */
export interface WorkspaceTrace {
  /** What was asked because of one member alone. */
  readonly members: readonly MemberOrigin[];
  readonly others: Uint8Array;
  /** `[workspace]` of the root, for `tableOfJson`; empty where no member is read by itself. */
  readonly root: string;
}

/** A workspace that was read from its manifests. */
export interface OpenedRun {
  readonly opened: OpenedWorkspace;
  readonly view: WorkspaceView;
  /** What may be kept of it. Complete when everything else is. */
  readonly loaded: () => LoadedWorkspace;
}

/** Not the path of a manifest: what is asked because of several, or of the root. */
const SHARED = '';

/** Reads the workspace of a run. Throws with cargo's chain of causes. */
export function openRun({ options, manifestPath, files }: WorkspaceRun): OpenedRun {
  const sections = new TraceSections(files);
  const opened = openWorkspace(manifestPath, options.config, {
    workspace: sections.of(SHARED),
    manifest: (path) => sections.of(path),
    packages: files,
  });
  const view = viewWorkspace(opened.workspace);
  const { registries } = opened;
  const loaded = (): LoadedWorkspace => {
    const trace = (): WorkspaceTrace | null => traceOf(opened.workspace, view, sections);
    return { manifestPath, view: withPathPackages(view), trace, asked: () => sections.asked, registries };
  };
  return { opened, view, loaded };
}

/** null if something that was asked cannot be compared. */
function traceOf(workspace: Workspace, view: WorkspaceView, sections: TraceSections): WorkspaceTrace | null {
  const { rootManifest } = workspace;
  const table = tableOfIndependentMembers(workspace);
  const members: MemberOrigin[] = [];
  for (const [index, manifest] of workspace.members.entries()) {
    const { path } = manifest;
    const trace = sections.of(path).record();
    const each = view.members[index];
    if (trace === null || each === undefined) return null;
    const isAlone = table !== null && manifest !== rootManifest && isOnlyPackage(manifest);
    members.push({ manifestPath: path, trace, meaning: isAlone ? meaningOf(each) : null });
  }
  const others = sections.recordOfOthers(new Set(workspace.members.map(({ path }) => path)));
  const root = table === null ? '' : jsonOfTable(table);
  return others === null ? null : { members, others, root };
}
