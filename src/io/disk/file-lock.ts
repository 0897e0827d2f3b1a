/**
 * Locks on files that cargo respects: flock(2). Node does not support it, so a child process locks. The lock belongs to
 * the open file, which the child inherits: it outlives the child, and ends when this process closes its descriptor.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, sep } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { errnoOf, osError } from './errno.ts';
import { LOCK_TOOLS, runLockTool } from './lock-tool.ts';
import { createFolders } from './make-folders.ts';

/** A lock that this process holds. */
export interface FileLock {
  /** Descriptor of the locked file, open for reading. For an exclusive lock on a file, also open for appending. */
  readonly fd: number;
  /**
   * Releases the lock. This also happens when the process ends for any reason. Must be called only once: afterwards
   * `fd` may be another file.
   */
  release(): void;
}

/** Inputs for locking, in addition to a path. */
export interface LockContext extends OperationContext {
  /** Its `PATH` determines the program that locks. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** False on Windows, where a lock ends with the program that took it, so no other program can lock for this process. */
export const CAN_LOCK = sep === '/';

/** The result if the machine has no means of locking. */
export const NO_LOCKING = Symbol('no locking');

/** The file to lock, and its description while waiting. */
export interface FileLockOptions {
  /** With `shared`, the file must exist; `exclusive` creates it. */
  readonly mode: 'exclusive' | 'shared';
  /** True for a folder, which must exist. */
  readonly isFolder?: boolean;
  /** As in `Blocking waiting for file lock on package cache`. */
  readonly description: string;
}

/**
 * Locks the file at `path`, waiting as long as necessary and reporting this once. The lock is on the file that is at
 * `path` when the promise resolves, even if it was replaced meanwhile. On NFS, and on file systems without locks,
 * continues without a lock, like cargo. Returns `NO_LOCKING` if no program can lock. Throws `io` if locking fails, and
 * the reason of `context.signal` if that is aborted.
 */
export async function acquireFileLock(
  path: string,
  options: FileLockOptions,
  context: LockContext,
): Promise<FileLock | typeof NO_LOCKING> {
  for (;;) {
    context.signal.throwIfAborted();
    const fd = openForLock(path, options);
    let isHeld = false;
    try {
      const isPossible = await lockDescriptor(fd, path, options, context);
      if (!isPossible) return NO_LOCKING;
      // If another file has replaced the locked one, lock that.
      isHeld = isStillAt(path, fd);
      if (isHeld) return { fd, release: () => closeSync(fd) };
    } finally {
      if (!isHeld) closeSync(fd);
    }
  }
}

/**
 * Waits until no other process has locked the file at `path`, and reports this once. For a caller that then replaces
 * the file, which a lock on the old one would not protect. Creates the file, and throws, like `acquireFileLock` for an
 * exclusive lock.
 */
export async function waitForFileLock(
  path: string,
  description: string,
  context: LockContext,
): Promise<void> {
  context.signal.throwIfAborted();
  const isNew = !existsSync(path);
  const fd = openForLock(path, { mode: 'exclusive' });
  try {
    if (isNew || isKnownFree(fd)) return;
  } finally {
    closeSync(fd);
  }
  const lock = await acquireFileLock(path, { mode: 'exclusive', description }, context);
  if (lock !== NO_LOCKING) lock.release();
}

/** The PID namespace outside containers: `PROC_PID_INIT_INO` in Linux's `proc_ns.h`. */
const ALL_PROCESSES = 'pid:[4026531836]';

/**
 * Returns true if Linux lists no lock on the file, which is faster than starting a program that tries. Not in a
 * container: its list lacks locks of outside and ended processes, such as a program that locked for another.
 */
function isKnownFree(fd: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    if (readlinkSync('/proc/self/ns/pid') !== ALL_PROCESSES) return false;
    // Some file systems show another device number there, so only the inode counts.
    const file = `:${fstatSync(fd, { bigint: true }).ino} `;
    return !readFileSync('/proc/locks', 'utf8').includes(file);
  } catch {
    return false;
  }
}

/** Opens the file to lock, and creates it for an exclusive lock. Throws `io` in cargo's words. */
function openForLock(path: string, { mode, isFolder }: Pick<FileLockOptions, 'mode' | 'isFolder'>): number {
  try {
    if (mode === 'shared' || isFolder === true) return openSync(path, 'r');
    try {
      return openSync(path, 'a+');
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      createFolders(dirname(path));
      return openSync(path, 'a+');
    }
  } catch (error) {
    throw new TsregError(`failed to open: ${path}`, { cause: osError(error) });
  }
}

/**
 * Locks an open file. Returns false if the machine has no means of locking. On NFS, and on a file system without locks,
 * returns true without a lock.
 */
async function lockDescriptor(
  fd: number,
  path: string,
  options: FileLockOptions,
  context: LockContext,
): Promise<boolean> {
  if (!CAN_LOCK) return false;
  if (isOnNfs(path)) return true;
  for (const tool of LOCK_TOOLS) {
    let outcome = await runLockTool(tool, fd, { mode: options.mode, wait: false }, context);
    if (outcome.kind === 'missing') continue;
    if (outcome.kind === 'held') {
      context.report.status('Blocking', `waiting for file lock on ${options.description}`, {
        style: 'note',
      });
      outcome = await runLockTool(tool, fd, { mode: options.mode, wait: true }, context);
    }
    if (outcome.kind === 'taken' || outcome.kind === 'unsupported') return true;
    const reason = outcome.kind === 'failed' ? outcome.message : 'the system did not grant the lock';
    const cause = new TsregError(reason, { code: 'io' });
    throw new TsregError(`failed to lock file: ${path}`, { cause });
  }
  return false;
}

/** The type of NFS. statfs(2). */
const NFS_SUPER_MAGIC = 0x6969;

/** Returns true on NFS, where a non-blocking flock may block forever. */
function isOnNfs(path: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return statfsSync(path).type === NFS_SUPER_MAGIC;
  } catch {
    return false;
  }
}

/** Returns true if the open file is the one at `path`. */
function isStillAt(path: string, fd: number): boolean {
  const locked = fstatSync(fd);
  try {
    const current = statSync(path);
    return current.ino === locked.ino && current.dev === locked.dev;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}
