import { compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['update', '--dry-run', '--offline'];

/** A dry run that updates all packages: resolves every version anew, from packages on disk. */
export const updateSubject: Subject = {
  name: 'update',
  title: 'update --dry-run --offline',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const workspace of ['tokio', 'wasmtime']) {
      // An old lock file may name yanked versions, while no others are on disk.
      const place = { cwd: bench.workspaceWithoutLock(workspace), home: bench.home };
      const beside = [{ name: 'cargo', command: bench.cargo(ARGS, place), limit: 1 }];
      const comparison = { workspace, ours: bench.tsreg(ARGS, place), beside, rounds: bench.rounds(9) };
      rows.push(await compareRuns(comparison, bench));
    }
    return rows;
  },
};
