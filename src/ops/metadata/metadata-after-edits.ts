/** The document of a workspace of which some members were edited, where that changed nothing but them. */
import type { RecordStore } from '../../derived/store.ts';
import type { RecalledWorkspace } from '../../derived/workspace-record.ts';
import { rereadMembers } from '../graph/reread-members.ts';
import { answerMetadata } from './answer-metadata.ts';
import type { KnownWorkspace } from './known-graph.ts';
import type { MetadataResult, MetadataRun } from './metadata-run.ts';

/**
 * The document, with the members of these indexes read again; null if more has to be read, or anything asked, written
 * or fetched, and nothing was said. Throws as whatever is wrong is told, and `DamagedRecordError`.
 */
export async function metadataAfterEdits(
  run: MetadataRun,
  earlier: RecalledWorkspace,
  { edited, store }: { readonly edited: readonly number[]; readonly store: RecordStore },
): Promise<MetadataResult | null> {
  const reread = rereadMembers(run, earlier, edited);
  if (reread === null) return null;
  const known: KnownWorkspace = {
    ...reread.printed,
    sources: earlier.sources,
    identity: (about) => (about === 'graph' ? reread.summaries.identity : null),
    view: reread.view,
  };
  const answer = await answerMetadata(run, known, store);
  if (answer === null) return null;
  return {
    document: answer.document,
    remember: () => {
      reread.remember(store);
      answer.remember();
    },
  };
}
