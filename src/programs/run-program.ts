/**
 * Starts programs; nothing else in the project may (`scripts/check-layers.mjs`). Three things go wrong elsewhere:
 *
 * - A program that could not be started has a handle without a process id for a moment. `ChildProcess.kill` sends the
 *   signal to whatever stands in that memory: 0 is the process group of our caller. Node does the same by itself where
 *   it is given `signal` or `timeout`, and so does execa 9.6 by `cancelSignal`. So only a child that has a pid gets a
 *   signal, and Node is never given `signal` or `timeout`.
 * - On Windows a program of the working folder is found before those on the `PATH`. Here it is never found by its name.
 * - Output without a bound fills the memory.
 *
 * execa would solve the last of them alone. It also takes 25 ms to load where `node:child_process` takes 4, waits for the
 * end of output that a credential provider leaves open, and starts scripts on Windows through `cmd.exe`.
 */
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { pathOfProgram } from './path-of-program.ts';

/** `inherit`: the stream of this process. */
type Pipe = 'ignore' | 'inherit' | 'pipe';

/** How a program is started. */
export interface ProgramOptions {
  /** All of its environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder of this process unless given. */
  readonly cwd?: string | undefined;
  /** `ignore` unless given. */
  readonly stdin?: Pipe | undefined;
  /** `pipe` unless given. */
  readonly stdout?: Pipe | undefined;
  /** `pipe` unless given. */
  readonly stderr?: Pipe | undefined;
  /** An open file that the program gets as descriptor 3. */
  readonly descriptor?: number;
  /** Ends the program when it fires. */
  readonly signal?: AbortSignal;
  /** What the program gets then; SIGTERM unless given. After SIGINT it is waited for, as it shares the terminal. */
  readonly abortsWith?: 'SIGINT' | 'SIGKILL';
}

/** How a program that runs to its end is started. */
export interface RunOptions extends Omit<ProgramOptions, 'stdin'> {
  /** Text for its stdin, or the stdin of this process; nothing unless given. */
  readonly stdin?: { readonly text: string } | 'inherit' | undefined;
  /** One that writes more to stdout or stderr is killed. */
  readonly maxBytes: number;
  /** One that takes longer is killed. */
  readonly timeoutMs?: number | undefined;
}

/** How a program ended: its exit status, or the signal that ended it. */
export interface ProcessEnd {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How a program ended, and what it wrote to its pipes. */
export interface ProcessResult extends ProcessEnd {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly wroteTooMuch: boolean;
}

/** A program that was started. */
export interface RunningProgram {
  /** null unless it is a pipe. Errors of writing are dropped: the program tells by its end. */
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  /** Resolves at the end of the program, whoever still has its pipes. Rejects as `startProgram` does. */
  readonly exited: Promise<ProcessEnd>;
  /** Resolves when the program has ended and its pipes are closed. Rejects as `startProgram` does. */
  readonly closed: Promise<ProcessEnd>;
  /** Sends a signal, if there is a process that can get it. */
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Ends the program, and hears no more of it nor of what it has started. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => void;
}

const KILLED: ProcessEnd = { status: null, signal: 'SIGKILL' };

/**
 * Runs a program to its end. Rejects with the operating system's error if it cannot be started, and with the reason of
 * `signal` if that fires. One that writes too much or takes too long counts as ended by SIGKILL.
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { stdin, maxBytes, timeoutMs, ...options }: RunOptions,
): Promise<ProcessResult> {
  const kind = typeof stdin === 'object' ? 'pipe' : (stdin ?? 'ignore');
  const program = await startProgram(file, args, { ...options, stdin: kind });
  let isKilled = false;
  let wroteTooMuch = false;
  const kill = (): void => {
    isKilled = true;
    program.end('SIGKILL');
  };
  const tooMuch = (): void => {
    wroteTooMuch = true;
    kill();
  };
  const outputs = [program.stdout, program.stderr].map((stream) => collect(stream, { maxBytes, tooMuch }));
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
 * Starts a program: by its path, or by a name that is looked for on its `PATH`. Where it cannot be started, this or the
 * promises of the result reject with the operating system's error; if `signal` fires, with its reason.
 */
export async function startProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<RunningProgram> {
  const { spawn } = await import('node:child_process');
  options.signal?.throwIfAborted();
  const { env, cwd, stdin = 'ignore', stdout = 'pipe', stderr = 'pipe', descriptor } = options;
  const isOnWindows = process.platform === 'win32';
  const path = isOnWindows ? pathOfProgram(file, env) : file;
  if (path === null || path === '') throw notFound(file);
  const child = spawn(path, args, {
    cwd,
    // For what the program starts.
    env: isOnWindows ? { ...env, NODEFAULTCURRENTDIRECTORYINEXEPATH: '1' } : env,
    stdio: [stdin, stdout, stderr, ...(descriptor === undefined ? [] : [descriptor])],
    windowsHide: ![stdin, stdout, stderr].includes('inherit'),
  });
  child.stdin?.on('error', () => {});
  return watch(child, options);
}

function watch(child: ChildProcess, { signal, abortsWith }: ProgramOptions): RunningProgram {
  const kill = (name: NodeJS.Signals): void => {
    // See above: without a pid there is no process, and after its end the number may be another's.
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
      end(abortsWith ?? 'SIGTERM');
      // One that goes on all the same would keep this process from its end.
      child.unref();
      reject(reasonOf(signal));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const forget = (): void => signal?.removeEventListener('abort', onAbort);
    child.on('error', forget).once('close', forget);
  });
  const until = (event: 'exit' | 'close'): Promise<ProcessEnd> => {
    const ended = new Promise<ProcessEnd>((resolve, reject) => {
      child.once('error', reject);
      child.once(event, (status: number | null, name: NodeJS.Signals | null) => {
        if (signal?.aborted === true) reject(reasonOf(signal));
        else resolve({ status, signal: name });
      });
    });
    const first = Promise.race([ended, aborted]);
    // Nobody need be waiting for it.
    first.catch(() => {});
    return first;
  };
  const { stdin, stdout, stderr } = child;
  return { stdin, stdout, stderr, exited: until('exit'), closed: until('close'), kill, end };
}

/** Collects what a stream gives; calls `tooMuch` where that is more than `maxBytes`. */
function collect(
  stream: Readable | null,
  { maxBytes, tooMuch }: { readonly maxBytes: number; readonly tooMuch: () => void },
): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let length = 0;
  stream?.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) tooMuch();
    else chunks.push(chunk);
  });
  return chunks;
}

function notFound(file: string): Error {
  const errno = -constants.errno.ENOENT;
  return Object.assign(new Error(`spawn ${file} ENOENT`), { code: 'ENOENT', errno, syscall: 'spawn' });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
