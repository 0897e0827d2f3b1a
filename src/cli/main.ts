/** Entry point of the program. It ships as CommonJS, which has no top-level `await`. */
import { basename } from 'node:path';
import { copyEnvironment } from '../io/config/copy-environment.ts';
import { programFile } from '../io/programs/program-file.ts';
import type { CacheMiss } from './lookup.ts';
import { runProgram } from './run-program.ts';

/**
 * Runs the program with the arguments of the process, and sets the exit status. `miss` is the result of
 * `printCachedResult`.
 */
export async function main(miss: CacheMiss): Promise<void> {
  // If the process ends before the work is done, that is a bug, and must not count as success.
  process.exitCode = 101;
  const env = copyEnvironment(process.env, process.platform);
  if (isNamedCargo()) env.TSREG_COMPAT = 'cargo';
  process.exitCode = await runProgram(process.argv.slice(2), { env, miss });
}

/** Returns true if the program was started by a link named `cargo`. */
function isNamedCargo(): boolean {
  return basename(programFile()) === 'cargo';
}
