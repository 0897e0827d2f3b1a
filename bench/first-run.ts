import { rmSync } from 'node:fs';
import path from 'node:path';
import { compareRuns, run } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--format-version', '1'];

/** The very first run: nothing is cached, and every package is unpacked. */
export const firstRun: Subject = {
  name: 'first-run',
  title: 'metadata, first run ever',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const workspace of ['thousand', 'wasmtime']) {
      const limits = { time: 1.1, memory: 1 };
      rows.push(await compareWithoutResult(bench, { workspace, limits, prepare: () => {} }));
    }
    return rows;
  },
};

/** The first run in a workspace whose packages another workspace has already used. */
export const sharedPackages: Subject = {
  name: 'shared-packages',
  title: 'metadata, new workspace, packages cached',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const workspace = 'thousand';
    const other = bench.tsreg(ARGS, { cwd: bench.workspace(workspace, 'other'), home: bench.home });
    const limits = { time: 0.5, memory: 1 };
    return [await compareWithoutResult(bench, { workspace, limits, prepare: () => void run(other) })];
  },
};

/**
 * Compares tsreg with cargo. Before each run of tsreg, removes its caches and calls `prepare`. cargo has unpacked all
 * packages before.
 */
async function compareWithoutResult(
  bench: Workbench,
  {
    workspace,
    limits,
    prepare,
  }: {
    readonly workspace: string;
    readonly limits: { readonly time: number; readonly memory: number };
    readonly prepare: () => void;
  },
): Promise<Row> {
  const { home } = bench;
  const cwd = bench.workspace(workspace);
  const before = (): void => {
    rmSync(path.join(home, 'tsreg', 'cache'), { recursive: true, force: true });
    prepare();
  };
  const beside = [{ name: 'cargo', command: bench.cargo(ARGS, { cwd, home }), limit: limits.time }];
  const ours = bench.tsreg(ARGS, { cwd, home, before });
  const comparison = { workspace, ours, beside, memory: { limit: limits.memory } };
  return compareRuns({ ...comparison, rounds: bench.rounds(9) }, bench);
}
