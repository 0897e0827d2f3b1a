/** `tree`: the resolved graph of a workspace as it is built. Cargo Book: cargo-tree(1). */
import { DerivedStore } from '../derived/store.ts';
import { NodeFiles } from '../disk/node-files.ts';
import type { Forest } from '../tree/forest.ts';
import { chooseManifest } from './workspace/choose-manifest.ts';
import { PackagesOnDisk } from './graph/packages-on-disk.ts';
import { expectSameAnswer } from './graph/same-answer.ts';
import { recallTree } from './tree/recall-tree.ts';
import { SILENT, type TreeOptions, type TreeResult, type TreeRun } from './tree/tree-run.ts';
import { BUILD } from './version.ts';
import { startRun, type WorkspaceContext } from './workspace/workspace-run.ts';

/**
 * Loads the workspace, resolves its dependencies, brings `Cargo.lock` up to date and finds out what is built with which
 * features.
 */
export async function tree(options: TreeOptions, context: WorkspaceContext): Promise<TreeResult> {
  const { config } = options;
  const files = new NodeFiles();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const run = startRun(options, { context, files, manifestPath, onDisk: new PackagesOnDisk() });
  const mode = config.env.TSREG_CACHE;
  const store = mode === 'off' ? null : new DerivedStore(config.home, BUILD);
  if (store !== null && mode !== 'verify') {
    const recalled = await recallTree(run, store);
    if (recalled !== null) return recalled;
  }
  const quiet = (): TreeRun => ({
    ...run,
    ...{ context: { ...context, report: SILENT }, files: new NodeFiles(), onDisk: new PackagesOnDisk() },
  });
  const earlier = store !== null && mode === 'verify' ? await recallTree(quiet(), store) : null;
  const { loadTree } = await import('./tree/load-tree.ts');
  const { forest, isForced, remember } = await loadTree(run, mode === 'verify' ? null : store);
  if (store === null) return { forest, remember: () => {} };
  if (mode !== 'verify') return { forest, remember: () => remember(store) };
  if (earlier !== null) await compare(earlier.forest, forest);
  remember(store);
  // From what this run leaves, and from what that answer does.
  for (let round = 0; round < 2; round += 1) {
    const recalled = await recallTree(quiet(), store);
    if (recalled === null) break;
    // A lock file that was just made can lead to another answer than it does in the next run.
    const expected = isForced ? forest : (await loadTree(quiet(), null)).forest;
    await compare(recalled.forest, expected);
    recalled.remember();
  }
  return { forest, remember: () => {} };
}

async function compare(recalled: Forest | null, expected: Forest | null): Promise<void> {
  const { forestDocument } = await import('../tree/document.ts');
  const [got, wanted] = [recalled, expected].map((forest) => JSON.stringify(forestDocument(forest)));
  expectSameAnswer(got === wanted);
}
