/** Programs of the operating system that reach its store of secrets. */
import type { Environment } from '../config/environment.ts';
import { TsregError } from '../errors/error.ts';
import { type ProcessEnd, runProgram } from '../programs/run-program.ts';
import { withSpawnError } from './process-end.ts';

const MAX_BYTES = 1024 * 1024;

/** How a program is run. */
export interface StoreProgramOptions {
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** For its stdin: nothing secret goes on its command line or into its environment, where others could see it. */
  readonly input: string;
}

/** How it ended, and what it wrote. */
export interface StoreProgramResult extends ProcessEnd {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `program` to its end. Rejects if it cannot be started; one that does not stop writing is killed. */
export async function runStoreProgram(
  program: string,
  args: readonly string[],
  { env, signal, input }: StoreProgramOptions,
): Promise<StoreProgramResult> {
  const options = { env, signal, stdin: { text: input }, maxBytes: MAX_BYTES };
  const result = await withSpawnError(runProgram(program, args, options));
  return { ...result, stdout: result.stdout.toString(), stderr: result.stderr.toString() };
}

/** The error of a store that does not do what is asked: `failed to get token: …`, with its own words. */
export function storeError(verb: string, reason: string): TsregError {
  return new TsregError(`failed to ${verb} token: ${reason.trim()}`, { code: 'auth' });
}
