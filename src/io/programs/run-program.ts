/**
 * Starts programs. No other file does (`scripts/check-layers.mjs`), because three things easily go wrong:
 *
 * - A program that could not be started has, for a moment, a handle without a process id. `ChildProcess.kill` then uses
 *   whatever that memory contains as process id: 0 is the process group of our caller. Node does the same for its
 *   options `signal` and `timeout`, and execa 9.6 for `cancelSignal`. So only a child with a pid gets a signal, and
 *   Node never gets `signal` or `timeout`.
 * - On Windows, a program in the working folder precedes those on the `PATH`. Here it is never found by name.
 * - Unlimited output fills the memory.
 *
 * execa would solve only the last one. It also takes 25 ms to load (`node:child_process`: 4), waits for the end of
 * output that a credential provider leaves open, and starts scripts on Windows through `cmd.exe`.
 */
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

/** `inherit`: the stream of this process. */
type Pipe = 'ignore' | 'inherit' | 'pipe';

/** Options of starting a program. */
export interface ProgramOptions {
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: the working folder of this process. */
  readonly cwd?: string | undefined;
  /** Default: `ignore`. */
  readonly stdin?: Pipe | undefined;
  /** Default: `pipe`. */
  readonly stdout?: Pipe | undefined;
  /** Default: `pipe`. */
  readonly stderr?: Pipe | undefined;
  /** An open file that the program gets as descriptor 3. */
  readonly descriptor?: number;
  /** Stops the program when it is aborted. */
  readonly signal?: AbortSignal;
  /**
   * The signal for that. By default SIGTERM, and SIGKILL if the program has not ended `GRACE_MS` later. After SIGINT
   * the program may end by itself, as it shares the terminal.
   */
  readonly abortsWith?: 'SIGINT' | 'SIGKILL';
}

/** Options of running a program until it ends. */
export interface RunOptions extends Omit<ProgramOptions, 'stdin'> {
  /** Text for stdin, or the stdin of this process. Default: none. */
  readonly stdin?: { readonly text: string } | 'inherit' | undefined;
  /** Kills a program that writes more to stdout or stderr. */
  readonly maxBytes: number;
  /** Kills a program that runs longer. */
  readonly timeoutMs?: number | undefined;
}

/** The end of a program: its exit status, or the signal that ended it. */
export interface ProcessEnd {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The result of a program, with its output on pipes. */
export interface ProcessResult extends ProcessEnd {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** True if the program was killed because of `maxBytes`. */
  readonly wroteTooMuch: boolean;
}

/** A started program. */
export interface RunningProgram {
  /** Null unless it is a pipe. Write errors are ignored: the exit status shows failures. */
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  /** Resolves at the end of the program, even if its pipes are still open. Rejects as `startProgram` does. */
  readonly exited: Promise<ProcessEnd>;
  /** Resolves when the program has ended and its pipes are closed. Rejects as `startProgram` does. */
  readonly closed: Promise<ProcessEnd>;
  /** Sends a signal, unless the process has ended or was not started. */
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Sends a signal and closes all pipes. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => void;
}

/** The time in which a program can end after SIGTERM, for example to show typed text on the terminal again. */
const GRACE_MS = 1000;

const KILLED: ProcessEnd = { status: null, signal: 'SIGKILL' };

/**
 * Runs a program until it ends. Rejects with the operating system's error if it cannot be started, and with the reason
 * of `signal` if that is aborted. A program that exceeds a limit counts as ended by SIGKILL.
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { stdin, maxBytes, timeoutMs, ...options }: RunOptions,
): Promise<ProcessResult> {
  const stdinPipe = typeof stdin === 'object' ? 'pipe' : (stdin ?? 'ignore');
  const program = await startProgram(file, args, { ...options, stdin: stdinPipe });
  let isKilled = false;
  let wroteTooMuch = false;
  const kill = (): void => {
    isKilled = true;
    program.end('SIGKILL');
  };
  const onTooMuch = (): void => {
    wroteTooMuch = true;
    kill();
  };
  const outputs = [program.stdout, program.stderr].map((stream) => collect(stream, { maxBytes, onTooMuch }));
  if (typeof stdin === 'object') program.stdin?.end(stdin.text);
  const timer = timeoutMs === undefined ? null : setTimeout(kill, timeoutMs);
  try {
    const end = await program.closed;
    const [stdout = Buffer.alloc(0), stderr = Buffer.alloc(0)] = outputs.map((chunks) =>
      Buffer.concat(chunks),
    );
    return { ...(isKilled ? KILLED : end), stdout, stderr, wroteTooMuch };
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

/**
 * Starts a program by path, or by a name on its `PATH`. If it cannot be started, this or the promises of the result
 * reject with the operating system's error; if `signal` is aborted, with its reason.
 */
export async function startProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<RunningProgram> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  options.signal?.throwIfAborted();
  const { env, cwd, stdin = 'ignore', stdout = 'pipe', stderr = 'pipe', descriptor } = options;
  const isOnWindows = process.platform === 'win32';
  const path = isOnWindows ? pathOfProgram(file, env) : file;
  if (path === null || path === '') throw notFound(file);
  const child = spawn(path, args, {
    cwd,
    // For programs that the program starts.
    env: isOnWindows ? { ...env, NODEFAULTCURRENTDIRECTORYINEXEPATH: '1' } : env,
    stdio: [stdin, stdout, stderr, ...(descriptor === undefined ? [] : [descriptor])],
    windowsHide: ![stdin, stdout, stderr].includes('inherit'),
  });
  child.stdin?.on('error', () => {});
  return watch(child, options);
}

/** Adds the handlers for the end of a program and for `signal`. Call it before any event. */
function watch(child: ChildProcess, { signal, abortsWith }: ProgramOptions): RunningProgram {
  const kill = (name: NodeJS.Signals): void => {
    // Without a pid there is no process, and after its end the pid may belong to another one.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) child.kill(name);
  };
  const end = (name: 'SIGKILL' | 'SIGTERM'): void => {
    kill(name);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  };
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => {
      if (abortsWith === 'SIGINT') {
        kill('SIGINT');
        return;
      }
      const giveUp = (): void => {
        end('SIGKILL');
        // A program that the system cannot end at once would otherwise keep this process alive.
        child.unref();
        reject(reasonOf(signal));
      };
      if (abortsWith === 'SIGKILL') {
        giveUp();
        return;
      }
      end('SIGTERM');
      const timer = setTimeout(giveUp, GRACE_MS);
      child.once('close', () => clearTimeout(timer));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const forget = (): void => signal?.removeEventListener('abort', onAbort);
    child.on('error', forget).once('close', forget);
  });
  const promiseOf = (event: 'exit' | 'close'): Promise<ProcessEnd> => {
    const ended = new Promise<ProcessEnd>((resolve, reject) => {
      child.once('error', reject);
      child.once(event, (status: number | null, name: NodeJS.Signals | null) => {
        if (signal?.aborted === true) reject(reasonOf(signal));
        else resolve({ status, signal: name });
      });
    });
    const outcome = Promise.race([ended, aborted]);
    // The promise may have no other handler.
    outcome.catch(() => {});
    return outcome;
  };
  const { stdin, stdout, stderr } = child;
  return { stdin, stdout, stderr, exited: promiseOf('exit'), closed: promiseOf('close'), kill, end };
}

/** Returns the chunks of a stream, a list that grows until the stream ends. Calls `onTooMuch` beyond `maxBytes`. */
function collect(
  stream: Readable | null,
  { maxBytes, onTooMuch }: { readonly maxBytes: number; readonly onTooMuch: () => void },
): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let length = 0;
  stream?.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) onTooMuch();
    else chunks.push(chunk);
  });
  return chunks;
}

/** Returns the error that Node's `spawn` would throw. */
function notFound(file: string): Error {
  const errno = -constants.errno.ENOENT;
  return Object.assign(new Error(`spawn ${file} ENOENT`), { code: 'ENOENT', errno, syscall: 'spawn' });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** The suffixes of files that Windows can start. Node tries them in this order. */
const SUFFIXES = ['.com', '.exe'];

/**
 * Returns the path of a program on Windows: in an absolute folder of `PATH`, never in the working folder. Returns a
 * path unchanged, and null if there is no such program. `isThere` returns true for an existing file.
 */
export function pathOfProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  isThere: (path: string) => boolean = existsSync,
): string | null {
  if (name === '' || /[\\/:]/.test(name)) return name;
  const path = Object.entries(env).find(([variable]) => variable.toUpperCase() === 'PATH')?.[1] ?? '';
  const names = [...(name.includes('.') ? [name] : []), ...SUFFIXES.map((suffix) => name + suffix)];
  const folders = path.split(';').map((folder) => folder.replaceAll('"', ''));
  const paths = folders
    .filter((folder) => win32.isAbsolute(folder))
    .flatMap((folder) => names.map((fileName) => win32.join(folder, fileName)));
  return paths.find(isThere) ?? null;
}
