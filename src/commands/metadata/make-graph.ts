/** Makes the graph of a workspace in the form of the document, without the cache. */
import type { RequestedFeatures } from '../../core/resolve/problem.ts';
import { describeGraph, graphWarnings, neededPackages } from '../shared/graph/describe-graph.ts';
import { loadGraph } from '../shared/graph/load-graph.ts';
import type { WorkspaceView } from '../shared/graph/package-view.ts';
import type { MetadataOptions } from './options.ts';
import { platformFilter } from '../shared/platform/platform-filter.ts';
import type { OpenedWorkspace } from '../shared/workspace/open-workspace.ts';
import { noMembers } from '../shared/workspace/select-packages.ts';
import type { WorkspaceRun } from '../shared/workspace/workspace-run.ts';
import { type PrintedGraph, printedGraph } from './print.ts';

/** The inputs of `makeGraph`. */
export interface GraphParts {
  readonly opened: OpenedWorkspace;
  readonly view: WorkspaceView;
  readonly requested: RequestedFeatures;
}

/** Resolves the dependencies, fetches and reads the packages that the platforms need, and describes the graph. */
export async function makeGraph(
  run: WorkspaceRun<MetadataOptions>,
  { opened, view, requested }: GraphParts,
): Promise<PrintedGraph> {
  const { filterPlatforms, config, idForm } = run.options;
  const { report } = run.context;
  const platforms = await platformFilter(filterPlatforms, config, { report });
  if (view.members.length === 0) throw noMembers(view.root);
  const selection = { requested, ...neededPackages(view, requested, platforms) };
  const graph = await loadGraph(run, opened, selection);
  for (const warning of graphWarnings(view, graph, platforms)) report.warning(warning);
  return printedGraph(describeGraph(view, graph, { idForm, platforms }), view, idForm);
}
