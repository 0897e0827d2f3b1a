/** Programs that lock a file for this process. */
import { type ProcessResult, runProgram } from '../programs/run-program.ts';
import { errnoOf, osErrorText } from './errno.ts';

/** The kind of lock to take. */
interface LockRequest {
  readonly mode: 'exclusive' | 'shared';
  /** False to return `held` at once if another process holds the lock. */
  readonly wait: boolean;
}

/**
 * The result. `held`: another process holds the lock. `unsupported`: the file system has no locks. `missing`: the
 * program is not installed.
 */
type LockOutcome =
  | { readonly kind: 'taken' | 'held' | 'unsupported' | 'missing' }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * A program that locks the open file that it inherits as descriptor 3. The lock belongs to the open file, so it
 * outlives the program.
 */
interface LockTool {
  readonly program: string;
  arguments(request: LockRequest): readonly string[];
}

/** The exit status if another process holds the lock. flock(1). */
const HELD_STATUS = 1;
const MAX_STDERR_BYTES = 65_536;
/** Errors of starting a program that no folder of the `PATH` has; which one depends on the folders. */
const MISSING_ERRORS: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);
/** The operations of flock(2). */
const [LOCK_SH, LOCK_EX, LOCK_NB] = [1, 2, 4];

interface LockToolContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** The programs to try, in order. */
export const LOCK_TOOLS: readonly LockTool[] = [
  {
    program: 'flock',
    arguments: ({ mode, wait }) => [...(wait ? [] : ['-n']), mode === 'exclusive' ? '-x' : '-s', '3'],
  },
  {
    program: 'perl',
    arguments: ({ mode, wait }) => [
      '-e',
      `open(F, '<&=', 3) or die $!; use Errno 'EWOULDBLOCK'; ` +
        `flock(F, $ARGV[0]) or ($! == EWOULDBLOCK ? exit(${HELD_STATUS}) : die "$!\\n")`,
      String((mode === 'exclusive' ? LOCK_EX : LOCK_SH) | (wait ? 0 : LOCK_NB)),
    ],
  },
];

/** Runs a program that locks the open file `fd`. Rejects if `signal` is aborted. */
export async function runLockTool(
  tool: LockTool,
  fd: number,
  request: LockRequest,
  { env, signal }: LockToolContext,
): Promise<LockOutcome> {
  let result: ProcessResult;
  try {
    result = await runProgram(tool.program, tool.arguments(request), {
      env: { ...env, LC_ALL: 'C' },
      stdout: 'ignore',
      descriptor: fd,
      signal,
      abortsWith: 'SIGKILL',
      maxBytes: MAX_STDERR_BYTES,
    });
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    return MISSING_ERRORS.has(errno) ? { kind: 'missing' } : { kind: 'failed', message: osErrorText(error) };
  }
  const message = result.stderr.toString();
  if (result.status === 0) return { kind: 'taken' };
  if (result.status === HELD_STATUS && !request.wait && message === '') return { kind: 'held' };
  if (/not supported|not implemented/i.test(message)) return { kind: 'unsupported' };
  return { kind: 'failed', message: message.trim() || `${tool.program} ended with ${result.status}` };
}
