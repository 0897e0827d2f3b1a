import { compareMemory, comparePairs, countPackages } from './measure.ts';
import type { Row, Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--format-version', '1'];

/** The document with every dependency, everything on disk and derived: what an editor asks for again and again. */
export const wholeDocument: Subject = {
  name: 'whole-document',
  title: 'metadata, warm',
  beside: 'cargo',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const workspace of ['wasmtime', 'tokio']) {
      const place = { cwd: bench.workspace(workspace), home: bench.home };
      const ours = bench.tsreg(ARGS, place);
      const theirs = bench.cargo(ARGS, place);
      const [found, wanted] = [countPackages(ours), countPackages(theirs)];
      if (found !== wanted) throw new Error(`${workspace}: ${found} packages, where cargo has ${wanted}`);
      const comparison = { workspace, ours, theirs, pairs: bench.pairs(21) };
      rows.push(
        comparePairs({ ...comparison, limit: 0.5 }),
        await compareMemory({ ...comparison, limit: 1 }),
      );
    }
    return rows;
  },
};
