/** `generate-lockfile`: makes a new lock file that ignores the old one. Cargo Book: cargo generate-lockfile. */
import type { OperationContext } from '../../core/report/report.ts';
import { type LockRunOptions, startLockRun } from '../shared/lock/lock-run.ts';
import type { UpdateResult } from '../shared/lock/update-document.ts';
import { writeNewLockFile } from '../shared/lock/write-new-lock-file.ts';

/** Resolves the workspace with the newest versions that fit, and writes `Cargo.lock`. */
export async function generateLockfile(
  options: LockRunOptions,
  context: OperationContext,
): Promise<UpdateResult> {
  return writeNewLockFile(startLockRun(options, context));
}
