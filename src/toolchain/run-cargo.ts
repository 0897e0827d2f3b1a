/** Running cargo. */
import { TsregError } from '../errors/error.ts';
import { runProgram } from '../programs/run-program.ts';
import type { CargoProgram } from './find-cargo.ts';

/** How cargo is started. */
export interface RunCargoOptions {
  readonly cwd: string;
  /** Variables beside those of `CargoProgram.env`. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Runs cargo to its end; what it says goes where this process's own output goes. Gives its exit status, null if a
 * signal ended it. Rejects if it cannot be started.
 */
export async function runCargo(
  cargo: CargoProgram,
  args: readonly string[],
  { cwd, variables, signal }: RunCargoOptions,
): Promise<number | null> {
  try {
    const { status } = await runProgram(cargo.path, args, {
      ...{ cwd, env: { ...cargo.env, ...variables }, signal, abortsWith: 'SIGINT', maxBytes: 0 },
      ...{ stdin: 'inherit', stdout: 'inherit', stderr: 'inherit' },
    });
    return status;
  } catch (error) {
    signal.throwIfAborted();
    throw neverExecuted(cargo.path, error);
  }
}

/** The error of a program that could not be started. */
export function neverExecuted(file: string, error: unknown): TsregError {
  const cause = new TsregError(error instanceof Error ? error.message : String(error), { code: 'toolchain' });
  return new TsregError(`could not execute process \`${file}\` (never executed)`, { cause });
}
