/** Programs of the operating system that access its secret store. */
import type { Environment } from '../config/environment.ts';
import { TsregError } from '../../core/errors/error.ts';
import { type ProcessEnd, runProgram } from '../programs/run-program.ts';
import { withSpawnError } from './process-end.ts';

const MAX_BYTES = 1024 * 1024;

/** Options of running a program. */
export interface StoreProgramOptions {
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Text for stdin. Pass secrets here: other users could see them in arguments or the environment. */
  readonly input: string;
}

/** The result of a program, with its output. */
export interface StoreProgramResult extends ProcessEnd {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `program` until it ends. Rejects if it cannot be started. Kills it if it prints more than 1 MiB, or on `signal`. */
export async function runStoreProgram(
  program: string,
  args: readonly string[],
  { env, signal, input }: StoreProgramOptions,
): Promise<StoreProgramResult> {
  const options = { env, signal, stdin: { text: input }, maxBytes: MAX_BYTES };
  const result = await withSpawnError(runProgram(program, args, options));
  return { ...result, stdout: result.stdout.toString(), stderr: result.stderr.toString() };
}

/** Returns the error of a failed `get`, `store` or `erase`: `failed to get token: REASON`. The reason has no secrets. */
export function storeError(verb: string, reason: string): TsregError {
  return new TsregError(`failed to ${verb} token: ${reason.trim()}`, { code: 'auth' });
}
