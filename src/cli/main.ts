/** Entry of the program. It ships as CommonJS, where nothing can be awaited at the top. */
import type { ProgramHooks } from './program-hooks.ts';
import { runProgram } from './run-program.ts';

/** Runs the program on the arguments of the process, which ends when there is nothing left to do. */
export function main(hooks: ProgramHooks): void {
  // Where nothing is left to do before the work is done, something is wrong with the program: that is no success.
  process.exitCode = 101;
  // Asking `process.env` is slow: it is copied once.
  void runProgram(process.argv.slice(2), { ...process.env }, hooks).then((status) => {
    process.exitCode = status;
  });
}
