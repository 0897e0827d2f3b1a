/** Running cargo. */
import { TsregError } from '../../core/errors/error.ts';
import { runProgram } from '../programs/run-program.ts';
import type { CargoProgram } from './find-cargo.ts';

/** Options for running cargo. */
export interface RunCargoOptions {
  readonly cwd: string;
  /** Variables in addition to those of `CargoProgram.env`. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Runs cargo until it exits, with the input and output of this process. Returns its exit status; null if a signal ended
 * it. Throws `toolchain` if it cannot be started.
 */
export async function runCargo(
  cargo: CargoProgram,
  args: readonly string[],
  { cwd, variables, signal }: RunCargoOptions,
): Promise<number | null> {
  try {
    const { status } = await runProgram(cargo.path, args, {
      cwd,
      env: { ...cargo.env, ...variables },
      signal,
      abortsWith: 'SIGINT',
      // No output comes through this process.
      maxBytes: 0,
      stdin: 'inherit',
      stdout: 'inherit',
      stderr: 'inherit',
    });
    return status;
  } catch (error) {
    signal.throwIfAborted();
    throw neverExecuted(cargo.path, error);
  }
}

/** Returns the error about a program that could not be started. */
export function neverExecuted(file: string, error: unknown): TsregError {
  const cause = new TsregError(error instanceof Error ? error.message : String(error), { code: 'toolchain' });
  return new TsregError(`could not execute process \`${file}\` (never executed)`, { cause });
}
