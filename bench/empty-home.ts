import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { comparePairs } from './measure.ts';
import type { Row, Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

/** From an empty CARGO_HOME over the network: index, downloads, unpacking and the document. */
export const emptyHome: Subject = {
  name: 'empty-home',
  title: 'metadata from an empty CARGO_HOME',
  beside: 'cargo',
  measure(bench: Workbench): Promise<readonly Row[]> {
    const home = path.join(bench.folder, 'empty-home');
    const rows = ['tokio', 'wasmtime'].map((workspace) => {
      const place = {
        cwd: bench.workspace(workspace),
        home,
        network: true,
        before: () => {
          rmSync(home, { recursive: true, force: true });
          mkdirSync(home);
        },
      };
      const args = ['metadata', '--format-version', '1'];
      const [ours, theirs] = [bench.tsreg(args, place), bench.cargo(args, place)];
      return comparePairs({ workspace, ours, theirs, limit: 1, pairs: bench.pairs(5) });
    });
    return Promise.resolve(rows);
  },
};
