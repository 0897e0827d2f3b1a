/** The document of a question that was not asked before, about a workspace and a lock file that were. */
import type { AnswerKey } from '../../derived/answer-record.ts';
import type { RecalledDependencies } from '../../derived/dependency-record.ts';
import type { DerivedStore } from '../../derived/store.ts';
import { recallSummaries } from '../../derived/workspace-summaries.ts';
import type { RecalledWorkspace } from '../../derived/workspace-record.ts';
import { encodeGraphAnswer } from './answer.ts';
import { describeGraph, graphWarnings, neededPackages } from './describe-graph.ts';
import { greet, type MetadataResult, type MetadataRun } from '../metadata/metadata-run.ts';
import { platformFilter } from '../platform/platform-filter.ts';
import { printDocument } from '../metadata/print-document.ts';
import { recallGraph } from './recall-graph.ts';

/** What was left and still holds, and where the answer is to be left. */
export interface Recalled {
  readonly workspace: RecalledWorkspace;
  readonly dependencies: RecalledDependencies;
  readonly key: AnswerKey;
  readonly store: DerivedStore;
}

/**
 * Resolves again without reading a manifest; null if anything has to be asked, written or fetched, and nothing was
 * said. Throws as whatever is wrong is told; it is to be told where everything is read anew.
 */
export async function resolveRecalled(
  run: MetadataRun,
  { workspace, dependencies, key, store }: Recalled,
): Promise<MetadataResult | null> {
  const { options, context } = run;
  const warnings: string[] = [];
  const report = { warning: (text: string) => warnings.push(text) };
  const platforms = await platformFilter(options.filterPlatforms, options.config, { report });
  const requested = run.requested();
  const view = recallSummaries(workspace);
  const selection = { requested, ...neededPackages(view, requested, platforms) };
  const graph = recallGraph({ view, dependencies, selection });
  if (graph === null) return null;
  const { summaries } = graph;
  const described = describeGraph(view, graph, { idForm: options.idForm, platforms });
  warnings.push(...graphWarnings(view, graph, platforms));
  greet(view, run);
  for (const warning of warnings) context.report.warning(warning);
  return {
    document: printDocument(view, described, options),
    remember: () => {
      const recorded = { members: view.members, pathPackages: view.pathPackages, dependencies: summaries };
      const answer = encodeGraphAnswer({ ...graph, described, warnings }, recorded, key);
      if (answer !== null) store.write('answer', key.question, answer);
    },
  };
}
