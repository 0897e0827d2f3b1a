/** Forests with what is kept beside forests without, for `TSREG_CACHE=verify`. */
import type { RecordStore } from '../../derived/store.ts';
import { forestDocument } from '../../tree/document.ts';
import type { Forest } from '../../tree/forest.ts';
import { unlessWrong } from '../graph/open-records.ts';
import { expectSameAnswer, quiet } from '../graph/same-answer.ts';
import { loadTree } from './load-tree.ts';
import { recallTree } from './recall-tree.ts';
import type { TreeResult, TreeRun } from './tree-run.ts';

/**
 * The forest, loaded anew. Compares it with what the run would have answered from what earlier runs left, keeps what it
 * would have kept, and answers again from that. Throws where any answer is another forest.
 */
export async function verifyTree(run: TreeRun, store: RecordStore): Promise<Forest | null> {
  const recall = (rereadsMembers: boolean): Promise<TreeResult | null> =>
    recallTree(quiet(run), store, { rereadsMembers });
  // What is wrong for good is told where everything is loaded anew, behind all warnings.
  const { config } = run.options;
  const earlier = [
    await unlessWrong(config, () => recall(false)),
    await unlessWrong(config, () => recall(true)),
  ];
  const { forest, isForced, remember } = await loadTree(run, null);
  for (const recalled of earlier) if (recalled !== null) compare(recalled.forest, forest);
  remember(store);
  // From what this run leaves, from what that answer does, and as after an edit.
  for (const rereadsMembers of [false, false, true, false]) {
    const recalled = await recall(rereadsMembers);
    if (recalled === null) continue;
    // A lock file that was just made can lead to another answer than it does in the next run.
    compare(recalled.forest, isForced ? forest : (await loadTree(quiet(run), null)).forest);
    recalled.remember();
  }
  return forest;
}

function compare(recalled: Forest | null, expected: Forest | null): void {
  const [got, wanted] = [recalled, expected].map((forest) =>
    JSON.stringify([forestDocument(forest), titlesOf(forest)]),
  );
  expectSameAnswer(got === wanted);
}

/** What is printed of packages and is not in the document. */
function titlesOf(forest: Forest | null): readonly string[] {
  if (forest === null) return [];
  const packages = forest.graph.nodes.flatMap((node) => (node.kind === 'package' ? node.package : []));
  return packages.map((index) => forest.packages(index).title);
}
