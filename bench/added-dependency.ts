import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compareRuns, run } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--format-version', '1', '--offline'];

/** A package that is cached for ripgrep, and that no other measured workspace depends on. */
const DEPENDENCY = 'lexopt = "0.3"\n';

/** `metadata` directly after the user adds a dependency that is on disk but not in the lock file. */
export const addedDependency: Subject = {
  name: 'added-dependency',
  title: 'metadata --offline, a dependency added',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    bench.workspace('ripgrep');
    const workspace = 'thousand';
    const home = bench.home;
    const cwd = bench.workspace(workspace, 'added');
    const [manifest, lock] = [path.join(cwd, 'Cargo.toml'), path.join(cwd, 'Cargo.lock')];
    const [manifestText, lockText] = [readFileSync(manifest, 'utf8'), readFileSync(lock, 'utf8')];
    // tsreg runs once before the dependency is added.
    const prior = bench.tsreg(ARGS, { cwd, home });
    const before = (): void => {
      writeFileSync(manifest, manifestText);
      writeFileSync(lock, lockText);
      run(prior);
      writeFileSync(manifest, `${manifestText}${DEPENDENCY}`);
    };
    const place = { cwd, home, before };
    const beside = [{ name: 'cargo', command: bench.cargo(ARGS, place), limit: 0.5 }];
    const comparison = { workspace, ours: bench.tsreg(ARGS, place), beside, memory: { limit: 1 } };
    return [await compareRuns({ ...comparison, rounds: bench.rounds(9) }, bench)];
  },
};
