import { besideAll } from './beside-all.ts';
import { askDocument, neededWarm } from './floor.ts';
import { compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--no-deps', '--format-version', '1'];

const CASES = [
  // About a dozen members, and about a hundred.
  { workspace: 'tokio', bareStart: 1.8, standalone: null },
  { workspace: 'wasmtime', bareStart: 2.2, standalone: 1 },
];

/** `metadata --no-deps`, which is little more than the start of Node itself. */
export const noDeps: Subject = {
  name: 'no-deps',
  title: 'metadata --no-deps, warm',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const { workspace, bareStart, standalone } of CASES) {
      const place = { cwd: bench.workspace(workspace), home: bench.home };
      const document = askDocument(bench.cargo(ARGS, place));
      const beside = besideAll(bench, {
        ...{ args: ARGS, place, needed: neededWarm(document) },
        limits: { bareStart },
      });
      const comparison = {
        workspace,
        ours: bench.tsreg(ARGS, place),
        standalone: bench.standalone(ARGS, place),
        beside,
        memory: { limit: null },
        standaloneLimit: standalone,
      };
      rows.push(await compareRuns({ ...comparison, rounds: bench.rounds(41) }, bench));
    }
    return rows;
  },
};
