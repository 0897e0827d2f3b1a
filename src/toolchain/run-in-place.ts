/** Running a program in the place of this one. */
import { type RunningProgram, startProgram } from '../programs/run-program.ts';
import { neverExecuted } from './run-cargo.ts';

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** How such a program is started. */
export interface RunInPlaceOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if what is typed reaches both: then a key that interrupts reaches both, too. */
  readonly hasTerminal: boolean;
}

/**
 * Runs a program to its end as if it had been started instead of this one: with the same input and output, and with
 * the signals that this process gets. Gives its exit status; where a signal ended it, this process ends by the same.
 * Rejects if it cannot be started.
 */
export async function runInPlace(
  file: string,
  args: readonly string[],
  { env, hasTerminal }: RunInPlaceOptions,
): Promise<number> {
  let program: RunningProgram | null = null;
  const early: NodeJS.Signals[] = [];
  const pass = (signal: NodeJS.Signals): void => {
    // A terminal sends these to everyone itself.
    const isSentToAll = hasTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
    if (isSentToAll) return;
    if (program === null) early.push(signal);
    else program.kill(signal);
  };
  // Before there is anything to pass them on to: afterwards one that comes at once would end this process alone.
  for (const signal of PASSED_ON) process.on(signal, pass);
  const forget = (): void => {
    for (const signal of PASSED_ON) process.off(signal, pass);
  };
  try {
    program = await startProgram(file, args, {
      env,
      ...{ stdin: 'inherit', stdout: 'inherit', stderr: 'inherit' },
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
