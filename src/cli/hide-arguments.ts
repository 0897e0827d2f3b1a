/** Arguments that other users of the machine may not see. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { isStandalone } from './program-file.ts';

/** Puts `title` in the place of this process's arguments in the list of processes, as far as the system lets it. */
export function hideArguments(title: string): void {
  process.title = title;
  // What Node does there, the runtime of the standalone executable does not.
  if (isStandalone && process.platform === 'linux') overwriteArguments(title);
}

/** Where the arguments begin and end in memory: fields 48 and 49 of proc(5)'s `stat`, behind the name in brackets. */
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
