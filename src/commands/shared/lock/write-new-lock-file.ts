/** Writes a new lock file that ignores the old one. Cargo Book: cargo generate-lockfile. */
import { describeUpdate } from './describe-update.ts';
import { LockFile } from './lock-file.ts';
import { LockPass } from './lock-pass.ts';
import type { LockRun } from './lock-run.ts';
import { reportLockChanges } from './report-lock-changes.ts';
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

async function resolveAndWrite(
  options: ReturnType<LockRun['open']>,
  { context }: LockRun,
): Promise<UpdateResult> {
  const { report } = context;
  const pass = new LockPass(options, report);
  const lockFile = new LockFile({ ...options, pass });
  const solved = await pass.solve(null);
  let text: string | null;
  for (;;) {
    const original = lockFile.readText();
    text = lockFile.plan(solved.lockfile, original);
    // Another process changed the file. Only its comments matter, which the new text keeps.
    if (text === null || (await lockFile.replace(original, text, context))) break;
  }
  const settled = { solved, before: null, toUnlock: null, lockfile: lockFile.path, written: text !== null };
  const { catalog, rustVersion, publishAge } = options;
  await reportLockChanges(solved, {
    catalog,
    rustVersion,
    publishAge,
    lowestRustVersion: pass.lowestRustVersion,
    report,
  });
  return { describe: () => describeUpdate({ ...settled, catalog }) };
}
