/** `update`: updates packages in the lock file. Cargo Book: cargo update. */
import { TsregError } from '../../core/errors/error.ts';
import { wordingByProgram } from '../../core/errors/wording.ts';
import { isRegistry } from '../../core/package-id/source-id.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { previousOfLockfile } from '../../core/resolve/previous.ts';
import type { Workspace } from '../../io/workspace/workspace.ts';
import { describeUpdate } from '../shared/lock/describe-update.ts';
import { writeNewLockFile } from '../shared/lock/write-new-lock-file.ts';
import { LockFile } from '../shared/lock/lock-file.ts';
import { LockPass } from '../shared/lock/lock-pass.ts';
import { type LockOptions, type LockRun, startLockRun } from '../shared/lock/lock-run.ts';
import type { LockWorkspaceOptions } from '../shared/lock/resolve-workspace.ts';
import { missingSpec } from '../shared/workspace/missing-values.ts';
import { choosePackages, type UpdateSelection } from './choose-packages.ts';
import { reportUpdate } from '../shared/lock/report-lock-changes.ts';
import type { UpdateResult } from '../shared/lock/update-document.ts';

/** The command-line options of `update`. */
export interface UpdateOptions extends LockOptions, UpdateSelection {
  readonly ignoreRustVersion: boolean;
  /** True for `-p` without a value, which fails with a list of the members. */
  readonly listsPackages: boolean;
  /** True to write nothing if there is a lock file. */
  readonly dryRun: boolean;
}

/** Updates packages, reports the changes and writes `Cargo.lock`. Throws with cargo's error chain. */
export async function update(options: UpdateOptions, context: OperationContext): Promise<UpdateResult> {
  const run = startLockRun(options, context);
  checkSpecs(options, run.workspace);
  return updateLockFile(options, run);
}

/** Throws cargo's error for `-p` without a value, and for a misplaced `+toolchain`. */
function checkSpecs({ specs, listsPackages }: UpdateOptions, { members }: Workspace): void {
  if (listsPackages) throw missingSpec(members.map(({ summary }) => summary.id.name));
  const toolchain = specs.find((spec) => spec.startsWith('+'));
  if (toolchain === undefined) return;
  throw new TsregError(
    wordingByProgram(
      (program) =>
        `invalid character \`+\` in package name: \`${toolchain}\`\n` +
        `    Use \`${program} ${toolchain} update\` if you meant to use the \`${toolchain.slice(1)}\` toolchain.`,
    ),
    { code: 'config' },
  );
}

/** Updates the lock file, again each time another process changes it meanwhile. */
async function updateLockFile(options: UpdateOptions, run: LockRun): Promise<UpdateResult> {
  if (run.workspace.members.length === 0) {
    throw new TsregError("you can't generate a lockfile for an empty workspace.", { code: 'workspace' });
  }
  for (;;) {
    const opened = run.open();
    try {
      const result = await updateOnce(options, run, opened);
      if (result !== null) return result;
    } finally {
      opened.rustVersion.stop();
    }
  }
}

/** Updates the lock file. Returns null if another process changed it meanwhile: then the update must start again. */
async function updateOnce(
  options: UpdateOptions,
  run: LockRun,
  opened: LockWorkspaceOptions,
): Promise<UpdateResult | null> {
  const { config, precise, dryRun, verbosity } = options;
  const { workspace, context } = run;
  const { report } = context;
  const pass = new LockPass(opened, report);
  const lockFile = new LockFile({ ...opened, pass });
  const { text: original, lockfile: existing } = lockFile.read();
  if (existing === null && precise === null) return writeNewLockFile(run);
  // `--precise` applies to packages of a lock file. If there is none, they are those of a new one.
  const before = existing ?? (await pass.solve(null)).lockfile;
  const catalog = existing === null ? opened.catalog.fork(null) : opened.catalog;
  const updatePass = existing === null ? new LockPass({ ...opened, catalog }, report) : pass;
  const choices = choosePackages(previousOfLockfile(before), options, { config, workspace, catalog, report });
  for (const source of choices.sources) catalog.loader.refresh(source);
  if (existing === null) {
    // These packages are not from a lock file, so query the registries again.
    for (const { id } of before.packages) if (isRegistry(id.source)) catalog.loader.invalidate(id.source);
  }
  const solved = await updatePass.withRustVersions(await updatePass.solve(before, choices));
  await reportUpdate(solved, {
    catalog,
    report,
    lowestRustVersion: pass.lowestRustVersion,
    rustVersion: opened.rustVersion,
    publishAge: opened.publishAge,
    isPrecise: precise !== null,
    isVerbose: verbosity === 'verbose',
  });
  if (dryRun) report.warning('not updating lockfile due to dry run');
  const text = dryRun ? null : lockFile.plan(solved.lockfile, original);
  if (text !== null && !(await lockFile.replace(original, text, context))) return null;
  return {
    describe: () =>
      describeUpdate({
        solved,
        before: existing === null ? null : previousOfLockfile(existing),
        toUnlock: choices.toUnlock,
        catalog,
        lockfile: lockFile.path,
        written: text !== null,
      }),
  };
}
