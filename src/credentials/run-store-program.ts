/** Programs of the operating system that reach its store of secrets. */
import { spawn } from 'node:child_process';
import type { Environment } from '../config/environment.ts';
import { TsregError } from '../errors/error.ts';
import { type EndedProcess, endNow, endOf, startProgram } from './ended-process.ts';

const MAX_CHARS = 1024 * 1024;

/** How a program is run. */
export interface StoreProgramOptions {
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** For its stdin: nothing secret goes on its command line or into its environment, where others could see it. */
  readonly input: string;
}

/** What became of it. */
export interface StoreProgramResult {
  readonly ended: EndedProcess;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `program` to its end. Rejects if it cannot be started, or does not stop writing. */
export async function runStoreProgram(
  program: string,
  args: readonly string[],
  { env, signal, input }: StoreProgramOptions,
): Promise<StoreProgramResult> {
  const child = startProgram(program, () =>
    spawn(program, args, { env: { ...env }, signal, stdio: 'pipe', windowsHide: true }),
  );
  const ended = endOf(child, 'close');
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      if (written[name].length > MAX_CHARS) endNow(child);
    });
  }
  child.stdin.on('error', () => {}); // Told by its status.
  child.stdin.end(input);
  return { ended: await ended, ...written };
}

/** The error of a store that does not do what is asked: `failed to get token: …`, with its own words. */
export function storeError(verb: string, reason: string): TsregError {
  return new TsregError(`failed to ${verb} token: ${reason.trim()}`, { code: 'auth' });
}
