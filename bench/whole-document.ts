import { besideAll } from './beside-all.ts';
import { askDocument, neededWarm } from './floor.ts';
import { compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--format-version', '1'];

const CASES = [
  { workspace: 'thousand', limits: { cargo: 0.2 }, memory: 0.5 },
  { workspace: 'wasmtime', limits: { cargo: 0.2 }, memory: 0.5 },
  { workspace: 'ripgrep', limits: { bareStart: 2.2 }, memory: null },
];

/** The document with every dependency, everything on disk and derived: what an editor asks for again and again. */
export const wholeDocument: Subject = {
  name: 'whole-document',
  title: 'metadata, warm',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const { workspace, limits, memory } of CASES) {
      const place = { cwd: bench.workspace(workspace), home: bench.home };
      const ours = bench.tsreg(ARGS, place);
      const wanted = askDocument(bench.cargo(ARGS, place));
      const found = askDocument(ours).packages.length;
      if (found !== wanted.packages.length)
        throw new Error(`${workspace}: ${found} packages, where cargo has ${wanted.packages.length}`);
      const beside = besideAll(bench, { args: ARGS, place, needed: neededWarm(wanted), limits });
      const standalone = bench.standalone(ARGS, place);
      const comparison = { workspace, ours, standalone, beside, memory: { limit: memory } };
      rows.push(await compareRuns({ ...comparison, rounds: bench.rounds(21) }, bench));
    }
    return rows;
  },
};
