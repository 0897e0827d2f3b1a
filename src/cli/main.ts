/** Entry of the program. It ships as CommonJS, where nothing can be awaited at the top. */
import { runProgram } from './run-program.ts';

// Asking `process.env` is slow: it is copied once.
void runProgram(process.argv.slice(2), { ...process.env }).then((status) => {
  process.exitCode = status;
});
