import path from 'node:path';
import { bestAttempt, median, timeRounds } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

/** What a further root may cost, of a call of its own. */
const LIMIT = 0.3;

/** One call for several workspaces, beside a call for each: what every root after the first costs. */
export const severalRoots: Subject = {
  name: 'several-roots',
  title: 'metadata, a further --manifest-path',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const copies = ['locked', 'second', 'third'].map((variant) => bench.workspace('wasmtime', variant));
    const others = ['ripgrep', 'tokio', 'wasmtime', 'thousand'].map((name) => bench.workspace(name));
    return [
      await compareRoots(bench, '3 wasmtime', copies),
      await compareRoots(bench, `${others.length} others`, others),
    ];
  },
};

function compareRoots(bench: Workbench, workspace: string, roots: readonly string[]): Promise<Row> {
  const call = (manifests: readonly string[]): ReturnType<Workbench['tsreg']> => {
    const paths = manifests.flatMap((root) => ['--manifest-path', path.join(root, 'Cargo.toml')]);
    return bench.tsreg(['metadata', '--format-version', '1', ...paths], {
      ...{ cwd: bench.folder, home: bench.home },
    });
  };
  const commands = [call(roots), ...roots.map((root) => call([root]))];
  const measure = (): Promise<Row> => {
    const rounds = timeRounds(commands, bench.rounds(15));
    const ratio = median(
      rounds.map(([all = Number.NaN, first = Number.NaN, ...alone]) => {
        return (all - first) / alone.reduce((sum, each) => sum + each, 0);
      }),
    );
    const ours = median(rounds.map(([all = Number.NaN]) => all));
    return Promise.resolve({
      ...{ workspace, ours, unit: 'ms' },
      figures: [{ beside: 'a call of its own', ratio, limit: LIMIT }],
    });
  };
  return bestAttempt(measure, bench.attempts);
}
