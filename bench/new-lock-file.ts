import { rmSync } from 'node:fs';
import path from 'node:path';
import { besideAll } from './beside-all.ts';
import { askDocument, neededToLock } from './floor.ts';
import { compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--offline', '--format-version', '1'];

const CASES = [
  { workspace: 'thousand', limit: 0.5 },
  { workspace: 'wasmtime', limit: 1.5 },
  { workspace: 'tokio', limit: 1.5 },
];

/** A lock file from nothing, offline, with everything that it will name on disk. */
export const newLockFile: Subject = {
  name: 'new-lock-file',
  title: 'metadata --offline without a lock file',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const { workspace, limit } of CASES) {
      const home = bench.home;
      const cwd = bench.workspaceWithoutLock(workspace);
      const before = (): void => rmSync(path.join(cwd, 'Cargo.lock'), { force: true });
      const place = { cwd, home, before };
      const document = askDocument(bench.cargo(ARGS, place));
      const beside = besideAll(bench, {
        ...{ args: ARGS, place, needed: neededToLock(document, home) },
        limits: { cargo: limit },
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
