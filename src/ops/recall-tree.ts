/** The graph of `tree` from what an earlier run left. Nothing here speaks to the network or takes a lock. */
import { DamagedRecordError } from '../derived/damaged-record-error.ts';
import type { DerivedStore } from '../derived/store.ts';
import { recallSummaries } from '../derived/workspace-summaries.ts';
import { TsregError } from '../errors/error.ts';
import type { Warning } from '../errors/warning.ts';
import { reportTo } from '../report/report.ts';
import { openDependencyRecord, openWorkspaceRecord } from './open-records.ts';
import { recallGraph } from './recall-graph.ts';
import type { LoadedTree } from './tree.ts';
import { greetTree, selectTree, SILENT, type TreeRun } from './tree-run.ts';

/** What an earlier run left; null if that does not hold any more, and nothing was said. */
export async function recallTree(run: TreeRun, store: DerivedStore): Promise<LoadedTree | null> {
  try {
    const workspace = openWorkspaceRecord(run, store);
    if (workspace === null) return null;
    const dependencies = openDependencyRecord(workspace, run, store);
    if (dependencies === null) return null;
    const view = recallSummaries(workspace);
    const warnings: Warning[] = [];
    const requested = greetTree(view, { ...run, context: { ...run.context, report: SILENT } });
    const report = reportTo({ warning: (warning) => warnings.push(warning) });
    const selection = await selectTree(view, run, { requested, report });
    const graph = recallGraph({ view, dependencies, selection });
    if (graph === null) return null;
    greetTree(view, run);
    for (const warning of warnings) run.context.report.warning(warning);
    return { view, graph, selection };
  } catch (error) {
    // Whatever is wrong is found again, and told in its place, where everything is read anew.
    if (error instanceof TsregError || error instanceof DamagedRecordError) return null;
    throw error;
  }
}
