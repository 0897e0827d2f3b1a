import { rmSync } from 'node:fs';
import path from 'node:path';
import { besideAll } from './beside-all.ts';
import { askDocument, neededFirst } from './floor.ts';
import { compareRuns, run } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--format-version', '1'];

/** The first document of a workspace whose packages cargo has fetched, by a program that has been run before. */
export const firstRun: Subject = {
  name: 'first-run',
  title: 'metadata, first run in a workspace',
  measure: (bench) => measureFirst(bench, { removed: 'tsreg/derived', limits: { cargo: 0.7 } }),
};

/** And by a program that has not: V8 has yet to compile it. */
export const veryFirstRun: Subject = {
  name: 'very-first-run',
  title: 'metadata, very first run',
  measure: (bench) => measureFirst(bench, { removed: 'tsreg', limits: {} }),
};

/** Before each run that folder of `CARGO_HOME` is removed. */
async function measureFirst(
  bench: Workbench,
  { removed, limits }: { readonly removed: string; readonly limits: { readonly cargo?: number } },
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const workspace of ['thousand', 'wasmtime']) {
    const home = bench.home;
    const before = (): void => rmSync(path.join(home, removed), { recursive: true, force: true });
    const place = { cwd: bench.workspace(workspace), home, before };
    const document = askDocument(bench.cargo(ARGS, place));
    const ours = bench.tsreg(ARGS, place);
    // Until all is kept of the program that runs after these will find: some of it the second run keeps.
    for (let runs = 0; runs < 3; runs += 1) run(ours);
    const comparison = {
      ...{ workspace, ours },
      standalone: bench.standalone(ARGS, place),
      beside: besideAll(bench, { args: ARGS, place, needed: neededFirst(document), limits }),
      memory: { limit: 1 },
    };
    rows.push(await compareRuns({ ...comparison, rounds: bench.rounds(9) }, bench));
  }
  return rows;
}
