import { compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--no-deps', '--format-version', '1'];

/** `metadata --no-deps`, which takes little more time than the start of Node itself. */
export const noDeps: Subject = {
  name: 'no-deps',
  title: 'metadata --no-deps, warm',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    // About a dozen members, and about a hundred.
    for (const workspace of ['tokio', 'wasmtime']) {
      const place = { cwd: bench.workspace(workspace), home: bench.home };
      const beside = [
        { name: 'cargo', command: bench.cargo(ARGS, place), limit: null },
        { name: 'bare Node', command: bench.bareNode, limit: 1.5 },
      ];
      const comparison = { workspace, ours: bench.tsreg(ARGS, place), beside, rounds: bench.rounds(41) };
      rows.push(await compareRuns(comparison, bench));
    }
    return rows;
  },
};
