/** `generate-lockfile` as a function. */
import { generateLockfile as runGenerateLockfile } from '../commands/generate-lockfile/run.ts';
import type { UpdateDocument } from '../commands/shared/lock/update-document.ts';
import { call, type LockfileOptions, LOCKFILE_CHECKS } from './call.ts';

/**
 * Writes `Cargo.lock` as if there were none, as `tsreg generate-lockfile` does. Returns the document of `update`, in
 * which every package is new. Rejects as `update` does. Cargo Book: cargo generate-lockfile.
 */
export async function generateLockfile(options: LockfileOptions = {}): Promise<UpdateDocument> {
  return call(options, LOCKFILE_CHECKS, async (shared, context) => {
    const { ignoreRustVersion = false } = options;
    const { describe } = await runGenerateLockfile({ ...shared, ignoreRustVersion }, context);
    return describe();
  });
}
