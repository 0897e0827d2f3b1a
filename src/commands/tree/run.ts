/** `tree`: the dependency tree of a workspace. Cargo Book: cargo-tree(1). */
import { NodeFiles } from '../../io/disk/node-files.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { DependencyTree } from '../../core/tree/dependency-tree.ts';
import { loadGraph } from '../shared/graph/load-graph.ts';
import { viewWorkspace } from '../shared/graph/package-view.ts';
import { makeTree } from './make-tree.ts';
import { selectGraph } from '../shared/graph/select-graph.ts';
import { checkTreeFlags, type TreeOptions } from './options.ts';
import { chooseManifest, openWorkspace } from '../shared/workspace/open-workspace.ts';
import { startRun } from '../shared/workspace/workspace-run.ts';

/**
 * Loads the workspace, resolves its dependencies, brings `Cargo.lock` up to date and finds out which packages are built
 * with which features. Warns and returns null if there is nothing to show.
 */
export async function tree(options: TreeOptions, context: OperationContext): Promise<DependencyTree | null> {
  const { config } = options;
  const files = new NodeFiles();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const run = startRun(options, { context, files, manifestPath });
  const opened = openWorkspace(manifestPath, config, { workspace: files, packages: files });
  const view = viewWorkspace(opened.workspace);
  const requested = checkTreeFlags(view, run);
  const selection = await selectGraph(view, run, requested);
  const graph = await loadGraph(run, opened, selection);
  return makeTree({ view, graph, selection }, run);
}
