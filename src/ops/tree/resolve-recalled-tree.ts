/** The forest of a question that was not asked before, about a workspace and a lock file that are known. */
import type { AnswerKey } from '../../derived/answer-record.ts';
import type { WholeView } from '../../derived/package-view.ts';
import type { Warning } from '../../errors/warning.ts';
import { reportTo } from '../../report/report.ts';
import type { Forest } from '../../tree/forest.ts';
import { makeForest } from './make-forest.ts';
import type { LockedDependencies } from '../graph/open-records.ts';
import { recallGraph } from '../graph/recall-graph.ts';
import { selectTree } from './select-tree.ts';
import { encodeTreeAnswer } from './tree-answer.ts';
import { greetTree, type TreeRun } from './tree-run.ts';

/** What is known and still holds. */
interface KnownTree {
  readonly view: WholeView;
  readonly dependencies: LockedDependencies;
}

/** What came of it. */
interface ResolvedTree {
  readonly forest: Forest | null;
  /** The record of it, as `encodeTreeAnswer`. */
  readonly encode: (key: AnswerKey) => Uint8Array | null;
}

/**
 * Resolves again without reading a manifest; null if anything has to be asked, written or fetched, and nothing was
 * said. Throws as whatever is wrong is told; it is to be told where everything is read anew. What it returns makes the
 * forest, and throws what is wrong with that for good.
 */
export async function resolveRecalledTree(
  run: TreeRun,
  { view, dependencies }: KnownTree,
): Promise<(() => ResolvedTree) | null> {
  const warnings: Warning[] = [];
  const report = reportTo({ warning: (warning) => warnings.push(warning) });
  const selection = await selectTree(view, run, { requested: run.requested(), report });
  const graph = recallGraph({ view, dependencies, selection });
  if (graph === null) return null;
  return () => {
    greetTree(view, run);
    for (const warning of warnings) run.context.report.warning(warning);
    const made = makeForest({ view, graph, selection }, run);
    const all = { ...made, warnings: [...warnings, ...made.warnings] };
    const { members, pathPackages } = view;
    const recorded = { members, pathPackages, dependencies: graph.summaries };
    return { forest: made.forest, encode: (key) => encodeTreeAnswer(all, recorded, key) };
  };
}
