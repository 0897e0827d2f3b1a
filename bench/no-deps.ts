import { comparePairs } from './measure.ts';
import type { Row, Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

/** `metadata --no-deps`, held against the start of Node itself. */
export const noDeps: Subject = {
  name: 'no-deps',
  title: 'metadata --no-deps, warm',
  beside: 'node -e 0',
  measure(bench: Workbench): Promise<readonly Row[]> {
    const limits = [
      ['tokio', 2.2],
      ['wasmtime', 3.5],
    ] as const;
    const rows = limits.map(([workspace, limit]) => {
      const place = { cwd: bench.workspace(workspace), home: bench.home };
      const ours = bench.tsreg(['metadata', '--no-deps', '--format-version', '1'], place);
      return comparePairs({
        workspace,
        ours,
        theirs: bench.node(['-e', '0'], place),
        limit,
        pairs: bench.pairs(41),
      });
    });
    return Promise.resolve(rows);
  },
};
