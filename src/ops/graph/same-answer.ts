/** For `TSREG_CACHE=verify`: answers with what is kept beside answers without. */
import { NodeFiles } from '../../disk/node-files.ts';
import { TsregError } from '../../errors/error.ts';
import { reportTo } from '../../report/report.ts';
import type { WorkspaceOptions, WorkspaceRun } from '../workspace/workspace-run.ts';
import { PackagesOnDisk } from './packages-on-disk.ts';

/** Fails where what is kept led to another answer than the one without it. */
export function expectSameAnswer(isSame: boolean): void {
  if (isSame) return;
  throw new TsregError(
    'the answer from derived files differs from the one without them: `TSREG_CACHE=off` goes on without',
    { code: 'bug' },
  );
}

/** The same run once more, with nothing said. */
export function quiet<Options extends WorkspaceOptions>(run: WorkspaceRun<Options>): WorkspaceRun<Options> {
  return {
    ...run,
    context: { ...run.context, report: reportTo({}) },
    startedMs: Date.now(),
    files: new NodeFiles(),
    onDisk: new PackagesOnDisk(),
  };
}
