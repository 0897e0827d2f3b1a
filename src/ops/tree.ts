/** `tree`: the resolved graph of a workspace as it is built. Cargo Book: cargo-tree(1). */
import { DerivedStore } from '../derived/store.ts';
import { NodeFiles } from '../disk/node-files.ts';
import { TsregError } from '../errors/error.ts';
import type { Forest } from '../tree/forest.ts';
import { chooseManifest } from './workspace/choose-manifest.ts';
import { PackagesOnDisk } from './graph/packages-on-disk.ts';
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
  const { loadTree } = await import('./tree/load-tree.ts');
  const { forest, isForced, remember } = await loadTree(run, mode === 'verify' ? null : store);
  if (store === null) return { forest, remember: () => {} };
  if (mode !== 'verify') return { forest, remember: () => remember(store) };
  remember(store);
  const quiet = { ...run, context: { ...context, report: SILENT }, onDisk: new PackagesOnDisk() };
  // A lock file that was just made can lead to another answer than it does in the next run.
  const again = async (): Promise<Forest | null> => (await loadTree(quiet, null)).forest;
  await verify(async () => (isForced ? forest : again()), quiet, store);
  return { forest, remember: () => {} };
}

/** Answers twice again, from what a run left and from what that answer leaves; fails if either is another answer. */
async function verify(load: () => Promise<Forest | null>, run: TreeRun, store: DerivedStore): Promise<void> {
  const { forestDocument } = await import('../tree/document.ts');
  for (let round = 0; round < 2; round += 1) {
    const recalled = await recallTree({ ...run, files: new NodeFiles() }, store);
    if (recalled === null) return;
    const [text, got] = [await load(), recalled.forest].map((forest) =>
      JSON.stringify(forestDocument(forest)),
    );
    if (text !== got) {
      throw new TsregError(
        'the answer from derived files differs from the one without them: `TSREG_CACHE=off` goes on without',
        {
          code: 'bug',
        },
      );
    }
    recalled.remember();
  }
}
