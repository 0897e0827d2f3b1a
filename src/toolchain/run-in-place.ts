/** Running a program in the place of this one. */
import type { ChildProcess } from 'node:child_process';
import { TsregError } from '../errors/error.ts';

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
  const { spawn } = await import('node:child_process');
  let child: ChildProcess | null = null;
  const pass = (signal: NodeJS.Signals): void => {
    // A terminal sends these to everyone itself.
    const isSentToAll = hasTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
    if (!isSentToAll) child?.kill(signal);
  };
  // Before there is anything to pass them on to: afterwards one that comes at once would end this process alone.
  for (const signal of PASSED_ON) process.on(signal, pass);
  try {
    const started = spawn(file, args, { env, stdio: 'inherit' });
    child = started;
    return await new Promise((resolve, reject) => {
      started.once('error', (error) => {
        const cause = new TsregError(error.message, { code: 'toolchain' });
        reject(new TsregError(`could not execute process \`${file}\` (never executed)`, { cause }));
      });
      started.once('close', (status, signal) => {
        for (const each of PASSED_ON) process.off(each, pass);
        if (signal !== null) process.kill(process.pid, signal);
        resolve(status ?? 101);
      });
    });
  } finally {
    for (const signal of PASSED_ON) process.off(signal, pass);
  }
}
