/** The forest of a workspace of which some members were edited, where that changed nothing but them. */
import type { RecordStore } from '../../derived/store.ts';
import type { RecalledWorkspace } from '../../derived/workspace-record.ts';
import { KeptDependencies } from '../graph/kept-dependencies.ts';
import { openDependencyRecord } from '../graph/open-records.ts';
import { rereadMembers } from '../graph/reread-members.ts';
import { resolveRecalledTree } from './resolve-recalled-tree.ts';
import { greetTree, SILENT, type TreeResult, type TreeRun } from './tree-run.ts';

/**
 * The forest, with the members of these indexes read again; null if more has to be read, or anything asked, written or
 * fetched, and nothing was said. Throws as whatever is wrong is told, and `DamagedRecordError`; what it returns throws
 * what is wrong for good.
 */
export async function treeAfterEdits(
  run: TreeRun,
  earlier: RecalledWorkspace,
  { edited, store }: { readonly edited: readonly number[]; readonly store: RecordStore },
): Promise<(() => TreeResult) | null> {
  const reread = rereadMembers(run, earlier, edited);
  if (reread === null) return null;
  const kept = new KeptDependencies(store, earlier, run.options.config);
  const dependencies = openDependencyRecord(earlier, run, kept);
  if (dependencies === null) return null;
  greetTree(reread.printed, { ...run, context: { ...run.context, report: SILENT } });
  run.beforeLongWork();
  const resolved = await resolveRecalledTree(run, { view: reread.view(), dependencies });
  if (resolved === null) return null;
  // The forest itself is kept by the next run: what it is about has a name once the workspace is kept.
  return () => ({ forest: resolved().forest, remember: () => reread.remember(store) });
}
