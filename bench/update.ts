import { comparePairs } from './measure.ts';
import type { Row, Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

/** What an update of everything would change: every package is chosen anew, from what is on disk. */
export const updateSubject: Subject = {
  name: 'update',
  title: 'update --dry-run --offline',
  beside: 'cargo',
  measure(bench: Workbench): Promise<readonly Row[]> {
    const rows = ['tokio', 'wasmtime'].map((workspace) => {
      // Versions of an old lock file may have been yanked, and no others be on disk.
      const place = { cwd: bench.workspaceWithoutLock(workspace), home: bench.home };
      const args = ['update', '--dry-run', '--offline'];
      const [ours, theirs] = [bench.tsreg(args, place), bench.cargo(args, place)];
      return comparePairs({ workspace, ours, theirs, limit: 1, pairs: bench.pairs(9) });
    });
    return Promise.resolve(rows);
  },
};
