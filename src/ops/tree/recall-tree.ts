/** The forest of `tree` from what an earlier run left. Nothing here speaks to the network or takes a lock. */
import type { RecalledDependencies } from '../../derived/dependency-record.ts';
import { decodeForest } from '../../derived/forest-record.ts';
import type { RecordStore } from '../../derived/store.ts';
import { independentMembers } from '../../derived/workspace-record.ts';
import { recallSummaries } from '../../derived/workspace-summaries.ts';
import { KeptDependencies } from '../graph/kept-dependencies.ts';
import { openDependencyRecord, openWorkspaceRecord, unlessWrong } from '../graph/open-records.ts';
import { PackagesOnDisk } from '../graph/packages-on-disk.ts';
import { openForest, treeQuestion } from './tree-answer.ts';
import { greetTree, SILENT, type TreeResult, type TreeRun } from './tree-run.ts';

/** How what was left is looked at. */
export interface RecallTreeOptions {
  /** True to read all members again that can be, as if they had been edited. */
  readonly rereadsMembers?: boolean;
}

/** What an earlier run left; null if that does not hold any more, and nothing was said. */
export async function recallTree(
  run: TreeRun,
  store: RecordStore,
  options: RecallTreeOptions = {},
): Promise<TreeResult | null> {
  const continued = await recall(run, store, options);
  return continued === null ? null : continued();
}

/** Finds out whether a run can be answered. What it returns is to be called outside of this: it may fail for good. */
async function recall(
  run: TreeRun,
  store: RecordStore,
  { rereadsMembers = false }: RecallTreeOptions,
): Promise<(() => TreeResult) | null> {
  const { report } = run.context;
  return unlessWrong(run.options.config, async () => {
    const workspace = openWorkspaceRecord(run, store);
    if (workspace === null) return null;
    const edited = rereadsMembers ? independentMembers(workspace) : workspace.edited;
    if (edited.length > 0) {
      const { treeAfterEdits } = await import('./tree-after-edits.ts');
      return treeAfterEdits(run, workspace, { edited, store });
    }
    const dependencies = openDependencyRecord(
      workspace,
      run,
      new KeptDependencies(store, workspace, run.options.config),
    );
    if (dependencies === null) return null;
    greetTree(workspace, { ...run, context: { ...run.context, report: SILENT } });
    const question = treeQuestion(run);
    const key = { question, workspace: workspace.identity, dependencies: dependencies.identity };
    const file = store.read('answer', question);
    const kept = file === null ? null : decodeForest(file, key);
    if (kept === null || !dependencies.hold() || !areOnDisk(kept.needed, dependencies)) {
      run.beforeLongWork();
      const { resolveRecalledTree } = await import('./resolve-recalled-tree.ts');
      const resolved = await resolveRecalledTree(run, { view: recallSummaries(workspace), dependencies });
      if (resolved === null) return null;
      return () => {
        const { forest, encode } = resolved();
        const remember = (): void => {
          const answer = encode(key);
          if (answer !== null) store.write('answer', question, answer);
        };
        return { forest, remember };
      };
    }
    const forest = openForest(kept, workspace, { dependencies, idForm: run.options.idForm });
    return () => {
      greetTree(workspace, run);
      for (const warning of kept.warnings) report.warning(warning);
      return { forest, remember: () => {} };
    };
  });
}

function areOnDisk(needed: readonly number[], { packages }: RecalledDependencies): boolean {
  const onDisk = new PackagesOnDisk();
  return needed.every((index) => {
    const content = packages[index]?.content ?? null;
    return content !== null && onDisk.has(content);
  });
}
