/** Locks on files that cargo sees: flock(2), which Node cannot take by itself. */
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
import { TsregError } from '../errors/error.ts';
import { type ProcessResult, runProgram } from '../programs/run-program.ts';
import type { OperationContext } from '../report/report.ts';
import { errnoOf, osError } from './errno.ts';
import { createFolders } from './make-folders.ts';

/** A lock that this process holds. */
export interface FileLock {
  /** Descriptor of the locked file, open for reading and (if exclusive) writing. */
  readonly fd: number;
  /** Gives the lock back. Also happens when the process ends, however it ends. */
  release(): void;
}

/** What locking needs beside a path. */
export interface LockContext extends OperationContext {
  /** Its `PATH` is where the program that locks is looked for. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** On Windows a lock ends with the program that took it: none that is started here can take it for this process. */
export const CAN_LOCK = sep === '/';

/** Answer of a machine that has no means of locking. */
export const NO_LOCKING = Symbol('no locking');

/** What to lock, and what to call it while waiting. */
export interface FileLockOptions {
  /** `shared` needs the file to exist; `exclusive` creates it. */
  readonly mode: 'exclusive' | 'shared';
  /** True for a folder, which has to exist. */
  readonly isFolder?: boolean;
  /** As in `Blocking waiting for file lock on package cache`. */
  readonly description: string;
}

/**
 * Locks the file at `path`, waiting as long as it takes and saying so once. The lock is on the file that
 * stands at `path` when the promise resolves, even if it was replaced while waiting. On NFS, and on file
 * systems without locks, nothing is locked and the caller goes on, as in cargo.
 */
export async function acquireFileLock(
  path: string,
  options: FileLockOptions,
  context: LockContext,
): Promise<FileLock | typeof NO_LOCKING> {
  for (;;) {
    context.signal.throwIfAborted();
    const fd = openForLock(path, options);
    try {
      const taken = await lockDescriptor(fd, path, options, context);
      if (!taken) {
        closeSync(fd);
        return NO_LOCKING;
      }
      if (stillAt(path, fd)) return { fd, release: () => closeSync(fd) };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    closeSync(fd);
  }
}

/**
 * Waits until nobody else has locked the file at `path`, and says so once: for who then puts another file in its place,
 * which no lock on the old one guards. Creates the file, and fails, as `acquireFileLock` does for an exclusive lock.
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

/** What the namespace of processes is called that is no container's. */
const ALL_PROCESSES = 'pid:[4026531836]';

/**
 * Linux lists who holds which lock, which costs less than to start a program that tries. Not in a container: there the list
 * is without locks of processes that are outside or have ended, as a program has that took one for another.
 */
function isKnownFree(fd: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    if (readlinkSync('/proc/self/ns/pid') !== ALL_PROCESSES) return false;
    // Some file systems have another device number there: the number of the file alone decides.
    const file = `:${fstatSync(fd, { bigint: true }).ino} `;
    return !readFileSync('/proc/locks', 'utf8').includes(file);
  } catch {
    return false;
  }
}

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
    const cause = error instanceof TsregError ? error : osError(error);
    throw new TsregError(`failed to open: ${path}`, { cause });
  }
}

/** False if the machine has no way to lock. */
async function lockDescriptor(
  fd: number,
  path: string,
  options: FileLockOptions,
  context: LockContext,
): Promise<boolean> {
  if (!CAN_LOCK) return false;
  if (isOnNfs(path)) return true;
  for (const tool of TOOLS) {
    let outcome = await runTool(tool, fd, { mode: options.mode, wait: false }, context);
    if (outcome.kind === 'missing') continue;
    if (outcome.kind === 'held') {
      context.report.status('Blocking', `waiting for file lock on ${options.description}`, {
        style: 'note',
      });
      outcome = await runTool(tool, fd, { mode: options.mode, wait: true }, context);
    }
    if (outcome.kind === 'taken' || outcome.kind === 'unsupported') return true;
    const cause = new TsregError(
      outcome.kind === 'failed' ? outcome.message : 'the system did not grant the lock',
      {
        code: 'io',
      },
    );
    throw new TsregError(`failed to lock file: ${path}`, { cause });
  }
  return false;
}

interface LockRequest {
  readonly mode: 'exclusive' | 'shared';
  readonly wait: boolean;
}

type LockOutcome =
  | { readonly kind: 'taken' | 'held' | 'unsupported' | 'missing' }
  | { readonly kind: 'failed'; readonly message: string };

/** A program that locks the open file which it inherits as descriptor 3; the lock outlives it, since it is on that open file. */
interface LockTool {
  readonly program: string;
  arguments(request: LockRequest): readonly string[];
}

const HELD = 1;
const MAX_COMPLAINT_BYTES = 65_536;

const TOOLS: readonly LockTool[] = [
  {
    program: 'flock',
    arguments: ({ mode, wait }) => [...(wait ? [] : ['-n']), mode === 'exclusive' ? '-x' : '-s', '3'],
  },
  {
    program: 'perl',
    arguments: ({ mode, wait }) => [
      '-e',
      `open(F, '<&=', 3) or die $!; use Errno 'EWOULDBLOCK'; ` +
        `flock(F, $ARGV[0]) or ($! == EWOULDBLOCK ? exit(${HELD}) : die "$!\\n")`,
      String((mode === 'exclusive' ? 2 : 1) | (wait ? 0 : 4)),
    ],
  },
];

async function runTool(
  tool: LockTool,
  fd: number,
  request: LockRequest,
  { env, signal }: LockContext,
): Promise<LockOutcome> {
  let result: ProcessResult;
  try {
    result = await runProgram(tool.program, tool.arguments(request), {
      ...{ env: { ...env, LC_ALL: 'C' }, stdout: 'ignore', descriptor: fd },
      ...{ signal, abortsWith: 'SIGKILL', maxBytes: MAX_COMPLAINT_BYTES },
    });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'EACCES') return { kind: 'missing' };
    throw error;
  }
  const complaint = result.stderr.toString();
  if (result.status === 0) return { kind: 'taken' };
  if (result.status === HELD && !request.wait && complaint === '') return { kind: 'held' };
  if (/not supported|not implemented/i.test(complaint)) return { kind: 'unsupported' };
  return { kind: 'failed', message: complaint.trim() || `${tool.program} ended with ${result.status}` };
}

const NFS_SUPER_MAGIC = 0x6969;

/** flock on NFS may wait for ever, even where it is told not to wait. */
function isOnNfs(path: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return statfsSync(path).type === NFS_SUPER_MAGIC;
  } catch {
    return false;
  }
}

function stillAt(path: string, fd: number): boolean {
  const locked = fstatSync(fd);
  try {
    const standing = statSync(path);
    return standing.ino === locked.ino && standing.dev === locked.dev;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}
