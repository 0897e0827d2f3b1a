import { compareMemory, comparePairs } from './measure.ts';
import type { Row, Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

/** `tree`, asked again and again: everything on disk and derived. */
export const treeSubject: Subject = {
  name: 'tree',
  title: 'tree, warm',
  beside: 'cargo',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const workspace of ['wasmtime', 'tokio']) {
      const place = { cwd: bench.workspace(workspace), home: bench.home };
      const ours = bench.tsreg(['tree', '--workspace'], place);
      const theirs = bench.cargo(['tree', '--workspace'], place);
      const comparison = { workspace, ours, theirs, pairs: bench.pairs(21) };
      rows.push(comparePairs({ ...comparison, limit: 1 }), await compareMemory({ ...comparison, limit: 1 }));
    }
    return rows;
  },
};
