/** Hides the arguments of this process from other users of the machine. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { present } from '../core/errors/assert.ts';
import { isStandalone } from '../io/programs/program-file.ts';

/** Replaces the arguments of this process by `title` in the process list, as far as the system allows it. */
export function hideArguments(title: string): void {
  process.title = title;
  // In Node, `process.title` does this. In the runtime of the standalone executable it does not.
  if (!isStandalone || process.platform !== 'linux') return;
  try {
    overwriteArguments(title);
  } catch {
    // A sandbox may have no `/proc`, or forbid writing to it.
  }
}

/** The addresses of the arguments in memory: `arg_start` and `arg_end` of proc_pid_stat(5), counted from 1. */
const START_FIELD = 48;
const END_FIELD = 49;
/** The first field after the name. The name itself may contain spaces and parentheses. */
const FIRST_FIELD = 3;

/** Writes `title` over the arguments in the memory of this process, padded with zeros. Throws if `/proc` forbids it. */
function overwriteArguments(title: string): void {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const address = (field: number): number =>
    Number(present(fields[field - FIRST_FIELD], 'an address of the arguments'));
  const start = address(START_FIELD);
  const text = Buffer.alloc(Math.max(address(END_FIELD) - start, 0));
  text.write(title);
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    writeSync(memory, text, 0, text.length, start);
  } finally {
    closeSync(memory);
  }
}
