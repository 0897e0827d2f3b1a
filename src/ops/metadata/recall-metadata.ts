/** The document from what an earlier run left. Nothing here speaks to the network or takes a lock. */
import type { RecordStore } from '../../derived/store.ts';
import { independentMembers } from '../../derived/workspace-record.ts';
import { keptSummaries, recallSummaries } from '../../derived/workspace-summaries.ts';
import { openWorkspaceRecord, unlessWrong } from '../graph/open-records.ts';
import { answerMetadata } from './answer-metadata.ts';
import type { KnownWorkspace } from './known-graph.ts';
import type { MetadataResult, MetadataRun } from './metadata-run.ts';

/**
 * The document from what an earlier run left; null if that does not hold any more, and nothing was said. With
 * `rereadsMembers` all members are read again that can be, as if they had been edited.
 */
export async function recallMetadata(
  run: MetadataRun,
  store: RecordStore,
  { rereadsMembers = false }: { readonly rereadsMembers?: boolean } = {},
): Promise<MetadataResult | null> {
  return unlessWrong(run.options.config, async () => {
    const workspace = openWorkspaceRecord(run, store);
    if (workspace === null) return null;
    const edited = rereadsMembers ? independentMembers(workspace) : workspace.edited;
    if (edited.length > 0) {
      const { metadataAfterEdits } = await import('./metadata-after-edits.ts');
      return metadataAfterEdits(run, workspace, { edited, store });
    }
    const { identity, container } = workspace;
    const known: KnownWorkspace = {
      ...workspace,
      identity: (about) => (about === 'graph' ? keptSummaries(container).identity : identity),
      view: () => recallSummaries(workspace),
    };
    return answerMetadata(run, known, store);
  });
}
