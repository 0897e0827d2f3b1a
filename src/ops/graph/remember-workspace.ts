/** Leaves what a run read of the workspace for the next one. */
import { identityOf } from '../../derived/container.ts';
import { encodeWorkspace } from '../../derived/encode-workspace.ts';
import type { RecordStore } from '../../derived/store.ts';
import { encodeSummaries } from '../../derived/workspace-summaries.ts';
import type { LoadedWorkspace } from './open-run.ts';

/** What answers may be about. */
export interface WorkspaceIdentities {
  /** Of everything that is recorded. */
  readonly workspace: string;
  /** Of what resolving asks. */
  readonly graph: string;
}

/** The record of a workspace, made before all of the run was done. */
export interface EarlyRecord {
  /** How much of it had been read. */
  readonly asked: number;
  readonly record: WorkspaceRecord | null;
}

interface WorkspaceRecord {
  readonly file: Uint8Array;
  readonly identities: WorkspaceIdentities;
}

/** Makes the record that `rememberWorkspace` is to keep, if nothing more is read by then. */
export function recordEarly(workspace: LoadedWorkspace): EarlyRecord {
  return { asked: workspace.asked(), record: recordOf(workspace) };
}

/** Keeps a workspace; null if something that was read cannot be compared, and nothing was kept. */
export function rememberWorkspace(
  workspace: LoadedWorkspace,
  store: RecordStore,
  early: EarlyRecord | null = null,
): WorkspaceIdentities | null {
  const record = early?.asked === workspace.asked() ? early.record : recordOf(workspace);
  if (record === null) return null;
  store.write('workspace', workspace.manifestPath, record.file);
  return record.identities;
}

/** null if something that was read cannot be compared. */
function recordOf({
  view,
  manifestPath,
  registries,
  trace: read,
  summaries = encodeSummaries(view, null),
}: LoadedWorkspace): WorkspaceRecord | null {
  const trace = read();
  if (trace === null) return null;
  const { members, others, root } = trace;
  const origin = { manifestPath, registries, summaries, trace: others, members, root: Buffer.from(root) };
  const file = encodeWorkspace(view, origin);
  const workspace = identityOf(file);
  return { file, identities: { workspace, graph: summaries.identity } };
}
