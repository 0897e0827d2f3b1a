/** Hides the arguments of this process from other users of the machine. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { isStandalone } from '../io/programs/program-file.ts';

/** Replaces the arguments of this process by `title` in the process list, as far as the system allows it. */
export function hideArguments(title: string): void {
  process.title = title;
  // In Node, `process.title` does this. In the runtime of the standalone executable it does not.
  if (isStandalone && process.platform === 'linux') overwriteArguments(title);
}

/** Start and end of the arguments in memory: fields 48 and 49 of proc(5)'s `stat`. Field 3 follows the name. */
const FIRST_FIELD = 3;
const START_FIELD = 48;

function overwriteArguments(title: string): void {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [start = 0, end = 0] = fields
    .slice(START_FIELD - FIRST_FIELD, START_FIELD - FIRST_FIELD + 2)
    .map(Number);
  const text = Buffer.alloc(Math.max(end - start, 0));
  text.write(title);
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    writeSync(memory, text, 0, text.length, start);
  } finally {
    closeSync(memory);
  }
}
