import type { DerivedStore } from '../derived/store.ts';
import { loadGraph, openRun } from './load-graph.ts';
import { remember } from './remember.ts';
import type { LoadedTree } from './tree.ts';
import { greetTree, selectTree, type TreeRun } from './tree-run.ts';

/**
 * Resolves everything anew: brings `Cargo.lock` up to date and fetches what is missing. Of packages that are on disk
 * as an earlier run read them, `store` may have what it made of their manifests.
 */
export async function loadTree(
  run: TreeRun,
  store: DerivedStore | null,
): Promise<{ readonly loaded: LoadedTree; readonly remember: (store: DerivedStore) => void }> {
  const opened = openRun(run);
  const { view } = opened;
  const requested = greetTree(view, run);
  const selection = await selectTree(view, run, { requested, report: run.context.report });
  const graph = await loadGraph(run, opened, { selection, store });
  const { dependencies } = graph;
  return {
    loaded: { view, graph, selection },
    remember: (into) =>
      remember(opened.loaded(), dependencies === null ? null : { ...dependencies, asked: null }, into),
  };
}
