/** Leaves what a run read of the workspace for the next one. */
import { Container } from '../../derived/container.ts';
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

/** Keeps a workspace; null if something that was read cannot be compared, and nothing was kept. */
export function rememberWorkspace(
  { view, manifestPath, registries, trace: read, summaries = encodeSummaries(view, null) }: LoadedWorkspace,
  store: RecordStore,
): WorkspaceIdentities | null {
  const trace = read();
  if (trace === null) return null;
  const { members, others, root } = trace;
  const origin = { manifestPath, registries, summaries, trace: others, members, root: Buffer.from(root) };
  const file = encodeWorkspace(view, origin);
  store.write('workspace', manifestPath, file);
  return { workspace: Container.open(file)?.identity ?? '', graph: summaries.identity };
}
