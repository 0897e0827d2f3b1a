/** The forest of `tree` from what an earlier run left. Nothing here speaks to the network or takes a lock. */
import { DamagedRecordError } from '../../derived/damaged-record-error.ts';
import type { RecalledDependencies } from '../../derived/dependency-record.ts';
import { decodeForest } from '../../derived/forest-record.ts';
import type { RecordStore } from '../../derived/store.ts';
import { TsregError } from '../../errors/error.ts';
import { KeptDependencies } from '../graph/kept-dependencies.ts';
import { openDependencyRecord, openWorkspaceRecord } from '../graph/open-records.ts';
import { PackagesOnDisk } from '../graph/packages-on-disk.ts';
import { openForest, treeQuestion } from './tree-answer.ts';
import { greetTree, SILENT, type TreeResult, type TreeRun } from './tree-run.ts';

/** What an earlier run left; null if that does not hold any more, and nothing was said. */
export async function recallTree(run: TreeRun, store: RecordStore): Promise<TreeResult | null> {
  const continued = await recall(run, store);
  return continued === null ? null : continued();
}

/** Finds out whether a run can be answered. What it returns is to be called outside of this: it may fail for good. */
async function recall(run: TreeRun, store: RecordStore): Promise<(() => TreeResult) | null> {
  const { report } = run.context;
  try {
    const workspace = openWorkspaceRecord(run, store);
    if (workspace === null || workspace.edited.length > 0) return null;
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
      return await resolveRecalledTree(run, { workspace, dependencies, key, store });
    }
    const forest = openForest(kept, workspace, { dependencies, idForm: run.options.idForm });
    return () => {
      greetTree(workspace, run);
      for (const warning of kept.warnings) report.warning(warning);
      return { forest, remember: () => {} };
    };
  } catch (error) {
    // Whatever is wrong is found again, and told in its place, where everything is read anew.
    if (error instanceof TsregError || error instanceof DamagedRecordError) return null;
    throw error;
  }
}

function areOnDisk(needed: readonly number[], { packages }: RecalledDependencies): boolean {
  const onDisk = new PackagesOnDisk();
  return needed.every((index) => {
    const content = packages[index]?.content ?? null;
    return content !== null && onDisk.has(content);
  });
}
