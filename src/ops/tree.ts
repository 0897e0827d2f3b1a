/** `tree`: the resolved graph of a workspace as it is built. Cargo Book: cargo-tree(1). */
import { NodeFiles } from '../disk/node-files.ts';
import type { OperationContext } from '../report/report.ts';
import type { Forest } from '../tree/forest.ts';
import { loadGraph } from './graph/load-graph.ts';
import { viewWorkspace } from './graph/package-view.ts';
import { makeForest } from './tree/make-forest.ts';
import { selectTree } from './tree/select-tree.ts';
import { checkTreeFlags, type TreeOptions } from './tree/tree-run.ts';
import { chooseManifest } from './workspace/choose-manifest.ts';
import { openWorkspace } from './workspace/open-workspace.ts';
import { startRun } from './workspace/workspace-run.ts';

/**
 * Loads the workspace, resolves its dependencies, brings `Cargo.lock` up to date and finds out what is built with which
 * features. Returns null where there is nothing to show, of which the report is told.
 */
export async function tree(options: TreeOptions, context: OperationContext): Promise<Forest | null> {
  const { config } = options;
  const files = new NodeFiles();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const run = startRun(options, { context, files, manifestPath });
  const opened = openWorkspace(manifestPath, config, { workspace: files, packages: files });
  const view = viewWorkspace(opened.workspace);
  const requested = checkTreeFlags(view, run);
  const selection = await selectTree(view, run, requested);
  const graph = await loadGraph(run, opened, selection);
  return makeForest({ view, graph, selection }, run);
}
