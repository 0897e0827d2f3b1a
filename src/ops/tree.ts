/** `tree`: the resolved graph of a workspace as it is built. Cargo Book: cargo-tree(1). */
import { DerivedStore } from '../derived/store.ts';
import { NodeFiles } from '../disk/node-files.ts';
import { chooseManifest } from './workspace/choose-manifest.ts';
import { PackagesOnDisk } from './graph/packages-on-disk.ts';
import { recallTree } from './tree/recall-tree.ts';
import type { TreeOptions, TreeResult } from './tree/tree-run.ts';
import { cacheOwner } from './version.ts';
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
  const store = mode === 'off' ? null : new DerivedStore(config.home, cacheOwner(config));
  if (store !== null && mode === 'verify') {
    const { verifyTree } = await import('./tree/verify-tree.ts');
    return { forest: await verifyTree(run, store), remember: () => {} };
  }
  const recalled = store === null ? null : await recallTree(run, store);
  if (recalled !== null) return recalled;
  const { loadTree } = await import('./tree/load-tree.ts');
  const { forest, remember } = await loadTree(run, store);
  return { forest, remember: store === null ? () => {} : () => remember(store) };
}
