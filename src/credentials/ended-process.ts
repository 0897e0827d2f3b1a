/** How a program ended. */
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { osErrorText } from '../disk/errno.ts';
import { TsregError } from '../errors/error.ts';
import { describeErrno } from '../errors/os-error-text.ts';

/** Exit status, or the signal that ended the program. */
export interface EndedProcess {
  readonly isSuccess: boolean;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** As much of a child process as is needed here. */
interface Process {
  once(event: 'error', listener: (error: Error) => void): unknown;
  once(
    event: 'exit' | 'close',
    listener: (code: number | null, signal: NodeJS.Signals | null) => void,
  ): unknown;
}

/** As much of one whose output is read. */
interface WritingProcess {
  readonly stdout: Readable;
  readonly stderr: Readable | null;
  kill(signal: 'SIGKILL'): unknown;
}

/**
 * `program`, which `spawn` starts. Throws as `endOf` rejects where Node finds at once that it cannot be started: below a
 * file, for example, or, on Windows, a script.
 */
export function startProgram<Child>(program: string, spawn: () => Child): Child {
  // Node takes that for a mistake of its caller's.
  if (program === '') throw notSpawned(describeErrno('ENOENT'));
  try {
    return spawn();
  } catch (error) {
    throw neverStarted(error);
  }
}

/**
 * Waits for the end of a program and, with `close`, for that of its output, which programs that it has started may keep
 * open. Rejects if it could not be started; nobody need be waiting for that.
 */
export function endOf(child: Process, event: 'exit' | 'close'): Promise<EndedProcess> {
  const ended = new Promise<EndedProcess>((resolve, reject) => {
    child.once('error', (error) => {
      reject(neverStarted(error));
    });
    child.once(event, (code, signal) => resolve({ isSuccess: code === 0, code, signal }));
  });
  ended.catch(() => {});
  return ended;
}

function neverStarted(error: unknown): TsregError {
  return notSpawned(osErrorText(error));
}

function notSpawned(reason: string): TsregError {
  const cause = new TsregError(reason, { code: 'io' });
  return new TsregError('failed to spawn credential process', { code: 'auth', cause });
}

/** Ends a program that does not stop writing, and hears no more of it or of what it has started. */
export function endNow(child: WritingProcess): void {
  child.kill('SIGKILL');
  child.stdout.destroy();
  child.stderr?.destroy();
}

/** `exit status: 3`, or `signal: 9 (SIGKILL)`. */
export function statusText({ code, signal }: EndedProcess): string {
  if (signal === null) return `exit status: ${code}`;
  return `signal: ${constants.signals[signal]} (${signal})`;
}
