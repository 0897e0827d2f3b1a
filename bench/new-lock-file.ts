import { rmSync } from 'node:fs';
import path from 'node:path';
import { compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--offline', '--format-version', '1'];

/** `metadata` that creates a lock file, offline, with all its packages on disk. */
export const newLockFile: Subject = {
  name: 'new-lock-file',
  title: 'metadata --offline without a lock file',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const workspace = 'thousand';
    const cwd = bench.workspaceWithoutLock(workspace);
    const before = (): void => rmSync(path.join(cwd, 'Cargo.lock'), { force: true });
    const place = { cwd, home: bench.home, before };
    const beside = [{ name: 'cargo', command: bench.cargo(ARGS, place), limit: 0.5 }];
    const comparison = { workspace, ours: bench.tsreg(ARGS, place), beside, memory: { limit: 1 } };
    return [await compareRuns({ ...comparison, rounds: bench.rounds(9) }, bench)];
  },
};
