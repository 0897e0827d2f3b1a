import { rmSync } from 'node:fs';
import path from 'node:path';
import { comparePairs } from './measure.ts';
import type { Row, Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

/** A lock file from nothing, offline, with everything that it will name on disk. */
export const newLockFile: Subject = {
  name: 'new-lock-file',
  title: 'metadata --offline without a lock file',
  beside: 'cargo',
  measure(bench: Workbench): Promise<readonly Row[]> {
    const rows = ['tokio', 'wasmtime'].map((workspace) => {
      const cwd = bench.workspaceWithoutLock(workspace);
      const before = (): void => rmSync(path.join(cwd, 'Cargo.lock'), { force: true });
      const place = { cwd, home: bench.home, before };
      const args = ['metadata', '--offline', '--format-version', '1'];
      const [ours, theirs] = [bench.tsreg(args, place), bench.cargo(args, place)];
      return comparePairs({ workspace, ours, theirs, limit: 1.5, pairs: bench.pairs(9) });
    });
    return Promise.resolve(rows);
  },
};
