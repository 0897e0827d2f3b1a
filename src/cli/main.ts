/** Entry of the program. It ships as CommonJS, where nothing can be awaited at the top. */
import { basename } from 'node:path';
import { copyEnvironment } from './copy-environment.ts';
import type { WrittenBytes } from './output-stream.ts';
import { programFile } from './program-file.ts';
import { runProgram } from './run-program.ts';

/**
 * Runs the program on the arguments of the process, which ends when there is nothing left to do. `written` is what the
 * process has written of the same output before.
 */
export async function main(written: WrittenBytes): Promise<void> {
  // Where nothing is left to do before the work is done, something is wrong with the program: that is no success.
  process.exitCode = 101;
  const env = copyEnvironment(process.env, process.platform);
  if (isNamedCargo()) env.TSREG_COMPAT = 'cargo';
  process.exitCode = await runProgram(process.argv.slice(2), { env, written });
}

/** True where the program was started by a link of cargo's name. */
function isNamedCargo(): boolean {
  return basename(programFile()) === 'cargo';
}
