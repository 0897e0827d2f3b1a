/** Writes a new lock file that ignores the old one. Cargo Book: cargo generate-lockfile. */
import type { Lockfile } from '../../../core/lockfile/lockfile.ts';
import type { LockContext } from '../../../io/disk/file-lock.ts';
import { describeUpdate } from './describe-update.ts';
import { LockFile } from './lock-file.ts';
import { LockPass } from './lock-pass.ts';
import type { LockRun } from './lock-run.ts';
import { reportLockChanges } from './report-lock-changes.ts';
import type { LockWorkspaceOptions } from './resolve-workspace.ts';
import type { UpdateResult } from './update-document.ts';

/** Resolves the workspace with the newest versions that fit, and writes `Cargo.lock`. */
export async function writeNewLockFile(run: LockRun): Promise<UpdateResult> {
  const options = run.open();
  try {
    return await resolveAndWrite(options, run);
  } finally {
    options.rustVersion.stop();
  }
}

async function resolveAndWrite(options: LockWorkspaceOptions, { context }: LockRun): Promise<UpdateResult> {
  const { report } = context;
  const pass = new LockPass(options, report);
  const lockFile = new LockFile({ ...options, pass });
  const solved = await pass.solve(null);
  const written = await write(solved.lockfile, lockFile, context);
  const { catalog, rustVersion, publishAge } = options;
  await reportLockChanges(solved, {
    catalog,
    rustVersion,
    publishAge,
    lowestRustVersion: pass.lowestRustVersion,
    report,
  });
  const lockfile = lockFile.path;
  return {
    describe: () => describeUpdate({ solved, before: null, toUnlock: null, catalog, lockfile, written }),
  };
}

/** Writes a lock file. Returns false if the file on disk is up to date. */
async function write(lockfile: Lockfile, file: LockFile, context: LockContext): Promise<boolean> {
  for (;;) {
    const original = file.readText();
    const text = file.plan(lockfile, original);
    if (text === null) return false;
    if (await file.replace(original, text, context)) return true;
    // Another process changed the file. Only its comments matter, which the next text keeps.
  }
}
