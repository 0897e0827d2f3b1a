/** The output of another program. */
import { runProgram, type RunOptions } from '../programs/run-program.ts';

/** Options for running a program. */
export interface ProgramOutputOptions {
  readonly env: RunOptions['env'];
  readonly cwd: string;
  readonly maxBytes: number;
  /** Default: no limit. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the output of a program; null if it cannot be started, fails, prints more than `maxBytes` or takes too long.
 */
export async function programOutput(
  file: string,
  args: readonly string[],
  options: ProgramOutputOptions,
): Promise<string | null> {
  try {
    const { status, stdout } = await runProgram(file, args, options);
    return status === 0 ? stdout.toString() : null;
  } catch {
    options.signal.throwIfAborted();
    return null;
  }
}
