/** Writes `Cargo.lock` under cargo's lock. Cargo Book: Cargo.toml vs Cargo.lock. */
import { existsSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import { errnoOf, osError } from './errno.ts';
import { acquireFileLock, type LockContext, NO_LOCKING } from './file-lock.ts';
import { inputRecorder } from './input-recorder.ts';
import { createFolders } from './make-folders.ts';
import { readLockFile } from './read-lock-file.ts';
import { rewriteFile } from './rewrite-file.ts';
import { createFileAtomic } from './write-file-atomic.ts';

/** A change of a lock file: the text that it is based on (null for no file), and the new one. */
export interface LockFileChange {
  readonly from: string | null;
  readonly to: string;
}

/**
 * Writes a lock file. If its text is not `from`, leaves it unchanged and returns false. Creates missing folders. Throws
 * in cargo's words, with the cause `io`, if it cannot be read or written.
 */
export async function replaceLockFile(
  path: string,
  { from, to }: LockFileChange,
  context: LockContext,
): Promise<boolean> {
  inputRecorder()?.reject('the lock file was written');
  const folder = dirname(path);
  if (!existsSync(folder)) createFolders(folder);
  try {
    if (from !== null) return await changeLockFile(path, { from, to }, context);
    const outcome = await createLockFile(path, to);
    if (outcome !== 'impossible') return outcome === 'created';
    return await changeLockFile(path, { from: '', to }, context);
  } catch (error) {
    throw new TsregError(`failed to write ${path}`, { cause: failureOf(error, path) });
  }
}

/**
 * Creates a complete file under its final name, which needs no lock. This is `impossible` at a dangling link, and in
 * a file system without hard links.
 */
async function createLockFile(path: string, text: string): Promise<'created' | 'exists' | 'impossible'> {
  try {
    await createFileAtomic(path, text);
    return 'created';
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST' && !isLink(path)) return 'exists';
    if (errno === 'EEXIST' || errno === 'EPERM' || errno === 'ENOTSUP' || errno === 'ENOSYS')
      return 'impossible';
    throw error;
  }
}

/**
 * Rewrites the file under its lock. Returns false, and leaves it unchanged, if its text is not `from`. A missing file
 * counts as an empty one, which taking the lock creates.
 */
async function changeLockFile(
  path: string,
  { from, to }: { readonly from: string; readonly to: string },
  context: LockContext,
): Promise<boolean> {
  const lock = await acquireFileLock(path, { mode: 'exclusive', description: 'Cargo.lock file' }, context);
  try {
    if (readLockFile(path) !== from) return false;
    await rewriteFile(path, { from, to });
    return true;
  } finally {
    if (lock !== NO_LOCKING) lock.release();
  }
}

/** Failures to write to an open file. */
const WRITE_FAILURES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG']);

/** Returns the cause of the error, with the action that failed if that was not writing. */
function failureOf(error: unknown, path: string): unknown {
  const errno = errnoOf(error);
  if (errno === null) return error;
  if (WRITE_FAILURES.has(errno)) return osError(error);
  return new TsregError(`failed to open: ${path}`, { cause: osError(error) });
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
