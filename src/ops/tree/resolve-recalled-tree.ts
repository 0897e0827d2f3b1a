/** The forest of a question that was not asked before, about a workspace and a lock file that were. */
import type { AnswerKey } from '../../derived/answer-record.ts';
import type { RecordStore } from '../../derived/store.ts';
import type { RecalledWorkspace } from '../../derived/workspace-record.ts';
import { recallSummaries } from '../../derived/workspace-summaries.ts';
import type { Warning } from '../../errors/warning.ts';
import { reportTo } from '../../report/report.ts';
import { makeForest } from './make-forest.ts';
import type { LockedDependencies } from '../graph/open-records.ts';
import { recallGraph } from '../graph/recall-graph.ts';
import { selectTree } from './select-tree.ts';
import { encodeTreeAnswer } from './tree-answer.ts';
import { greetTree, type TreeResult, type TreeRun } from './tree-run.ts';

/** What was left and still holds, and where the answer is to be left. */
interface RecalledQuestion {
  readonly workspace: RecalledWorkspace;
  readonly dependencies: LockedDependencies;
  readonly key: AnswerKey;
  readonly store: RecordStore;
}

/**
 * Resolves again without reading a manifest; null if anything has to be asked, written or fetched, and nothing was
 * said. Throws as whatever is wrong is told; it is to be told where everything is read anew. What it returns makes the
 * forest, and throws what is wrong with that for good.
 */
export async function resolveRecalledTree(
  run: TreeRun,
  { workspace, dependencies, key, store }: RecalledQuestion,
): Promise<(() => TreeResult) | null> {
  const view = recallSummaries(workspace);
  const warnings: Warning[] = [];
  const report = reportTo({ warning: (warning) => warnings.push(warning) });
  const selection = await selectTree(view, run, { requested: run.requested(), report });
  const graph = recallGraph({ view, dependencies, selection });
  if (graph === null) return null;
  return () => {
    greetTree(view, run);
    for (const warning of warnings) run.context.report.warning(warning);
    const made = makeForest({ view, graph, selection }, run);
    const remember = (): void => {
      const recorded = {
        members: view.members,
        pathPackages: view.pathPackages,
        dependencies: graph.summaries,
      };
      const all = { ...made, warnings: [...warnings, ...made.warnings] };
      const answer = encodeTreeAnswer(all, recorded, key);
      if (answer !== null) store.write('answer', key.question, answer);
    };
    return { forest: made.forest, remember };
  };
}
