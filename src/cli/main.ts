/** Entry of the program. It ships as CommonJS, where nothing can be awaited at the top. */
import { basename } from 'node:path';
import { copyEnvironment } from './copy-environment.ts';
import { programFile } from './program-file.ts';
import type { ProgramHooks } from './program-hooks.ts';
import { runProgram } from './run-program.ts';

/** Runs the program on the arguments of the process, which ends when there is nothing left to do. */
export async function main(hooks: Omit<ProgramHooks, 'noteDone'>): Promise<void> {
  // Where nothing is left to do before the work is done, something is wrong with the program: that is no success.
  process.exitCode = 101;
  const env = copyEnvironment(process.env, process.platform);
  if (isNamedCargo()) env.TSREG_COMPAT = 'cargo';
  let isDone = false;
  const noteDone = (): void => {
    isDone = true;
  };
  process.exitCode = await runProgram(process.argv.slice(2), env, { ...hooks, noteDone });
  // Node would take apart first whatever was made. Some commands need that: it closes a database, for example.
  if (isDone) process.exit();
}

/** True where the program was started by a link of cargo's name. */
function isNamedCargo(): boolean {
  return basename(programFile()) === 'cargo';
}
