/** The document of a workspace that was read anew, whose dependencies are as an earlier run left them. */
import { Container } from '../../derived/container.ts';
import type { RecordStore } from '../../derived/store.ts';
import { type EncodedSummaries, encodeSummaries, keptSummaries } from '../../derived/workspace-summaries.ts';
import type { OpenedRun } from '../graph/open-run.ts';
import type { KeptDependencies } from '../graph/kept-dependencies.ts';
import { unlessWrong } from '../graph/open-records.ts';
import { withPathPackages } from '../graph/path-packages.ts';
import { rememberWorkspace } from '../graph/remember-workspace.ts';
import { answerMetadata } from './answer-metadata.ts';
import type { KnownWorkspace } from './known-graph.ts';
import type { MetadataResult, MetadataRun } from './metadata-run.ts';

/** What an earlier run left, of which `kept` may be wanted again. */
export interface KeptMetadata {
  readonly store: RecordStore;
  readonly kept: KeptDependencies;
}

/**
 * The document, where its manifests lead to the lock file that there is, and everything that this names is as it was.
 * null if anything has to be asked, written or fetched, and nothing was said.
 */
export async function rereadMetadata(
  run: MetadataRun,
  opened: OpenedRun,
  { store, kept }: KeptMetadata,
): Promise<MetadataResult | null> {
  return unlessWrong(run.options.config, async () => {
    const view = withPathPackages(opened.view);
    let encoded: EncodedSummaries | null = null;
    const summaries = (): EncodedSummaries =>
      (encoded ??= encodeSummaries(view, earlierSummaries(run, store)));
    const known: KnownWorkspace = {
      ...view,
      identity: (about) => (about === 'graph' ? summaries().identity : null),
      view: () => view,
      kept,
    };
    const answer = await answerMetadata(run, known, store);
    if (answer === null) return null;
    return {
      document: answer.document,
      remember: () => {
        rememberWorkspace({ ...opened.loaded(), view, summaries: summaries() }, store);
        answer.remember();
      },
    };
  });
}

/** What resolving asked of the workspace when it was last kept, so that answers go on to hold where it asks the same. */
function earlierSummaries({ manifestPath }: MetadataRun, store: RecordStore): EncodedSummaries | null {
  const file = store.read('workspace', manifestPath);
  const container = file === null ? null : Container.open(file);
  return container === null ? null : keptSummaries(container);
}
