/** A new `Cargo.lock`, written under cargo's lock. Cargo Book: Cargo.toml vs Cargo.lock. */
import { existsSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { TsregError } from '../errors/error.ts';
import { errnoOf, osError } from './errno.ts';
import { acquireFileLock, type LockContext, NO_LOCKING } from './file-lock.ts';
import { inputRecorder } from './input-recorder.ts';
import { createFolders } from './make-folders.ts';
import { readLockFile } from './read-lock-file.ts';
import { rewriteFile } from './rewrite-file.ts';
import { createFileAtomic } from './write-file-atomic.ts';

/** A change of a lock file: from the text that it was derived from to the new one. */
export interface LockFileChange {
  readonly from: string | null;
  readonly to: string;
}

/**
 * Writes a lock file, unless it is not what the change was derived from any more: then it stays as it is,
 * and the answer is false. Missing folders are made.
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
    return (await createLockFile(path, to)) ?? (await changeLockFile(path, { from: '', to }, context));
  } catch (error) {
    throw new TsregError(`failed to write ${path}`, { cause: failureOf(error, path) });
  }
}

/**
 * A new file appears by its name, whole, and only if there is none: that needs no lock. Null where it cannot
 * appear so.
 */
async function createLockFile(path: string, text: string): Promise<boolean | null> {
  try {
    await createFileAtomic(path, text);
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST' && !isLink(path)) return false;
    // A link that leads nowhere, or a file system without hard links.
    if (errno === 'EEXIST' || errno === 'EPERM' || errno === 'ENOTSUP' || errno === 'ENOSYS') return null;
    throw error;
  }
}

/** A file that is not there is made as an empty one. */
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

/** Failures to write what could be opened. */
const WRITE_FAILURES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG']);

function failureOf(error: unknown, path: string): unknown {
  const errno = errnoOf(error);
  if (errno === null) return error;
  if (WRITE_FAILURES.has(errno)) return osError(error);
  return new TsregError(`failed to open: ${path}`, { cause: osError(error) });
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
