/** Runs a program in place of this one. */
import { type RunningProgram, startProgram } from '../programs/run-program.ts';
import { neverExecuted } from './run-cargo.ts';

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** cargo's exit status for a failure. It counts if the signal that ended the program does not end this process. */
const FAILURE = 101;

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
  /** Signals that arrive before the program has started. */
  const earlySignals: NodeJS.Signals[] = [];
  const forward = (signal: NodeJS.Signals): void => {
    // The terminal itself sends these to both processes.
    const isSentToAll = hasTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
    if (isSentToAll) return;
    if (program === null) earlySignals.push(signal);
    else program.kill(signal);
  };
  // The handlers must exist before the program starts: an early signal would end only this process.
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
  const stopForwarding = (): void => {
    for (const signal of FORWARDED_SIGNALS) process.off(signal, forward);
  };
  try {
    program = await startProgram(file, args, {
      env,
      stdin: 'inherit',
      stdout: 'inherit',
      stderr: 'inherit',
    });
    for (const signal of earlySignals) program.kill(signal);
    const { status, signal } = await program.closed;
    // Otherwise the handlers would catch the following signal.
    stopForwarding();
    if (signal !== null) process.kill(process.pid, signal);
    return status ?? FAILURE;
  } catch (error) {
    throw neverExecuted(file, error);
  } finally {
    stopForwarding();
  }
}
