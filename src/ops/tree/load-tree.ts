import type { RecordStore } from '../../derived/store.ts';
import type { Warning } from '../../errors/warning.ts';
import { reportTo } from '../../report/report.ts';
import type { Forest } from '../../tree/forest.ts';
import type { AskedQuestion } from '../graph/answer.ts';
import { KeptDependencies } from '../graph/kept-dependencies.ts';
import { loadGraph } from '../graph/load-graph.ts';
import { openRun } from '../graph/open-run.ts';
import type { ReadAhead } from '../graph/read-ahead.ts';
import { startReadAhead } from '../graph/start-read-ahead.ts';
import { makeForest } from './make-forest.ts';
import { type EarlyRecord, recordEarly } from '../graph/remember-workspace.ts';
import { remember } from '../graph/remember.ts';
import { selectTree } from './select-tree.ts';
import { encodeTreeAnswer, treeQuestion } from './tree-answer.ts';
import { greetTree, type TreeRun } from './tree-run.ts';

/** A forest, and how what it was made from is kept. */
export interface LoadedForest {
  readonly forest: Forest | null;
  /** True if the lock file as it was found left no choice: only then must the next run find the same. */
  readonly isForced: boolean;
  readonly remember: (store: RecordStore) => void;
}

/**
 * Resolves everything anew: brings `Cargo.lock` up to date and fetches what is missing. Of packages that are on disk
 * as an earlier run read them, `store` may have what it made of their manifests.
 */
export async function loadTree(run: TreeRun, store: RecordStore | null): Promise<LoadedForest> {
  const ahead = await startReadAhead(run, store);
  run.beforeLongWork();
  try {
    return await loadForest(run, store, ahead);
  } finally {
    ahead?.close();
  }
}

async function loadForest(
  run: TreeRun,
  store: RecordStore | null,
  ahead: ReadAhead | null,
): Promise<LoadedForest> {
  const opened = openRun(run);
  const { view } = opened;
  const kept = store === null ? null : new KeptDependencies(store, view, run.options.config);
  const requested = greetTree(view, run);
  const warnings: Warning[] = [];
  const report = reportTo({
    warning: (warning) => {
      warnings.push(warning);
      run.context.report.warning(warning);
    },
  });
  const selection = await selectTree(view, run, { requested, report });
  let early: EarlyRecord | null = null;
  const meanwhile = (): void => {
    if (store !== null) early = recordEarly(opened.loaded());
  };
  const graph = await loadGraph(run, opened, { selection, kept, ahead, meanwhile });
  const { dependencies, isForced, keepsNames } = graph;
  const made = makeForest({ view, graph, selection }, run);
  const all = { ...made, warnings: [...warnings, ...made.warnings] };
  const asked: AskedQuestion = {
    question: treeQuestion(run),
    about: 'workspace',
    encode: (recorded, key) => encodeTreeAnswer(all, recorded, key),
  };
  return {
    forest: made.forest,
    isForced,
    remember: (into) =>
      remember(
        {
          workspace: keepsNames ? opened.loaded() : null,
          early,
          dependencies: dependencies === null ? null : { ...dependencies, asked: isForced ? asked : null },
        },
        into,
      ),
  };
}
