import { compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['tree', '--workspace'];

/** `tree`, run repeatedly without changes. */
export const treeSubject: Subject = {
  name: 'tree',
  title: 'tree, warm',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const workspace of ['wasmtime', 'tokio']) {
      const place = { cwd: bench.workspace(workspace), home: bench.home };
      const beside = [{ name: 'cargo', command: bench.cargo(ARGS, place), limit: 1 }];
      const comparison = { workspace, ours: bench.tsreg(ARGS, place), beside, memory: { limit: 1 } };
      rows.push(await compareRuns({ ...comparison, rounds: bench.rounds(21) }, bench));
    }
    return rows;
  },
};
