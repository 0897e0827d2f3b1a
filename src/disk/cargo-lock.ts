/** `Cargo.lock` on disk, under cargo's lock. Cargo Book: Cargo.toml vs Cargo.lock. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { errnoOf, osError } from './errno.ts';
import { acquireFileLock, type LockContext, NO_LOCKING } from './file-lock.ts';
import { writeFileAtomic } from './write-file-atomic.ts';
import { TsregError } from '../errors/error.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a lock file; null if there is none. */
export function readLockFile(path: string): string | null {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    // A folder can be opened, and not read.
    const action = errnoOf(error) === 'EISDIR' ? 'read file' : 'open';
    throw new TsregError(`failed to ${action}: ${path}`, { cause: osError(error) });
  }
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new TsregError(`failed to read file: ${path}`, {
      cause: new TsregError('stream did not contain valid UTF-8', { code: 'lockfile' }),
    });
  }
}

/** A change of a lock file: from the text that it was derived from to the new one. */
export interface LockFileChange {
  readonly from: string | null;
  readonly to: string;
}

/**
 * Writes a lock file, unless it is not what the change was derived from any more: then it stays as it is,
 * and the answer is false.
 */
export async function replaceLockFile(
  path: string,
  { from, to }: LockFileChange,
  context: LockContext,
): Promise<boolean> {
  try {
    return from === null ? await createLockFile(path, to) : await changeLockFile(path, { from, to }, context);
  } catch (error) {
    if (error instanceof TsregError) throw error;
    throw new TsregError(`failed to write ${path}`, { cause: osError(error) });
  }
}

/** A new file appears by its name, whole, and only if there is none: that needs no lock. */
async function createLockFile(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFileAtomic(temporary, text);
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // File systems without hard links.
    if (errnoOf(error) !== 'EPERM' && errnoOf(error) !== 'ENOTSUP') throw error;
    if (readLockFile(path) !== null) return false;
    await writeFileAtomic(path, text);
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function changeLockFile(
  path: string,
  { from, to }: { readonly from: string; readonly to: string },
  context: LockContext,
): Promise<boolean> {
  const lock = await acquireFileLock(path, { mode: 'exclusive', description: 'Cargo.lock file' }, context);
  try {
    if (readLockFile(path) !== from) return false;
    await writeFileAtomic(path, to);
    return true;
  } finally {
    if (lock !== NO_LOCKING) lock.release();
  }
}
