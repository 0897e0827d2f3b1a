import { rmSync } from 'node:fs';
import path from 'node:path';
import { besideAll } from './beside-all.ts';
import { askDocument, neededFirst } from './floor.ts';
import { compareRuns } from './measure.ts';
import type { Row, Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--format-version', '1'];

/** The first document of a workspace whose packages cargo has fetched: nothing is derived yet. */
export const firstRun: Subject = {
  name: 'first-run',
  title: 'metadata, first run',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const workspace of ['thousand', 'wasmtime']) {
      const home = bench.home;
      const before = (): void => rmSync(path.join(home, 'tsreg'), { recursive: true, force: true });
      const place = { cwd: bench.workspace(workspace), home, before };
      const document = askDocument(bench.cargo(ARGS, place));
      const beside = besideAll(bench, {
        ...{ args: ARGS, place, needed: neededFirst(document) },
        limits: { cargo: 0.7 },
      });
      const comparison = {
        workspace,
        ours: bench.tsreg(ARGS, place),
        standalone: bench.standalone(ARGS, place),
        beside,
        memory: { limit: 1 },
      };
      rows.push(await compareRuns({ ...comparison, rounds: bench.rounds(9) }, bench));
    }
    return rows;
  },
};
