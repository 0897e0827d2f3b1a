/** The document of a question that was not asked before, about a workspace and a lock file that are known. */
import { encodeGraphAnswer } from '../graph/answer.ts';
import { describeGraph, graphWarnings, neededPackages } from '../graph/describe-graph.ts';
import { recallGraph } from '../graph/recall-graph.ts';
import { platformFilter } from '../platform/platform-filter.ts';
import type { KnownGraph } from './known-graph.ts';
import { greet, type MetadataResult, type MetadataRun } from './metadata-run.ts';
import { printDocument } from './print-document.ts';

/**
 * Resolves again without asking a source; null if anything has to be asked, written or fetched, and nothing was
 * said. Throws as whatever is wrong is told; it is to be told where everything is read anew.
 */
export async function resolveRecalled(
  run: MetadataRun,
  { workspace, dependencies, key, store }: KnownGraph,
): Promise<MetadataResult | null> {
  const { options, context } = run;
  const warnings: string[] = [];
  const report = { warning: (text: string) => warnings.push(text) };
  const platforms = await platformFilter(options.filterPlatforms, options.config, { report });
  const requested = run.requested();
  const view = workspace.view();
  const selection = { requested, ...neededPackages(view, requested, platforms) };
  const graph = recallGraph({ view, dependencies, selection });
  if (graph === null) return null;
  const { summaries } = graph;
  const described = describeGraph(view, graph, { idForm: options.idForm, platforms });
  warnings.push(...graphWarnings(view, graph, platforms));
  const document = printDocument(view, described, options);
  greet(view, run);
  for (const warning of warnings) context.report.warning(warning);
  return {
    document,
    remember: () => {
      const recorded = { members: view.members, pathPackages: view.pathPackages, dependencies: summaries };
      const answer = encodeGraphAnswer({ ...graph, described, warnings }, recorded, key);
      if (answer !== null) store.write('answer', key.question, answer);
    },
  };
}
