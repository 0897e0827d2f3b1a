/** Runs a program in place of this one. */
import { type RunningProgram, startProgram } from '../programs/run-program.ts';
import { neverExecuted } from './run-cargo.ts';

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Options for running such a program. */
export interface RunInPlaceOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if both programs read from the same terminal: then a key that interrupts reaches both. */
  readonly hasTerminal: boolean;
}

/**
 * Runs a program until it exits as if it had been started instead of this one: with the same input and output, and with
 * the signals that this process receives. Returns its exit status. If a signal ended it, ends this process by the same
 * signal. Throws `toolchain` if it cannot be started.
 */
export async function runInPlace(
  file: string,
  args: readonly string[],
  { env, hasTerminal }: RunInPlaceOptions,
): Promise<number> {
  let program: RunningProgram | null = null;
  const early: NodeJS.Signals[] = [];
  const pass = (signal: NodeJS.Signals): void => {
    // The terminal itself sends these to both processes.
    const isSentToAll = hasTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
    if (isSentToAll) return;
    if (program === null) early.push(signal);
    else program.kill(signal);
  };
  // The handlers must exist before the program starts: an early signal would end only this process.
  for (const signal of PASSED_ON) process.on(signal, pass);
  const forget = (): void => {
    for (const signal of PASSED_ON) process.off(signal, pass);
  };
  try {
    program = await startProgram(file, args, {
      env,
      stdin: 'inherit',
      stdout: 'inherit',
      stderr: 'inherit',
    });
    for (const signal of early) program.kill(signal);
    const { status, signal } = await program.closed;
    forget();
    if (signal !== null) process.kill(process.pid, signal);
    return status ?? 101;
  } catch (error) {
    throw neverExecuted(file, error);
  } finally {
    forget();
  }
}
