/** The cargo that stands behind this program on the `PATH`. */
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readSync,
  realpathSync,
  statSync,
  readdirSync,
} from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** What a line at the head of a script starts with that sends commands to this program. */
export const SHIM_MARK = '# tsreg shim:';

/** What a line at the head of this program's own file has in it. */
export const OWN_MARK = 'dist/cli/main.cjs';
const HEAD_BYTES = 1024;
const NAME = process.platform === 'win32' ? 'cargo.exe' : 'cargo';

/**
 * Absolute path of the first program `cargo` in the absolute folders of `path` that is neither this program, whose file
 * is `own`, nor a link to it or one of the scripts that start it. null if there is none.
 */
export function nextCargo(path: string, own: string): string | null {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, NAME);
    if (isAbsolute(folder) && isExecutable(file) && !isOwn(file, own)) return file;
  }
  return null;
}

/** As `nextCargo`, whatever the program is. */
export function firstCargo(path: string): string | null {
  const files = path.split(delimiter).map((folder) => join(folder, 'cargo'));
  return files.find((file) => isExecutable(file)) ?? null;
}

/** True for a file that is there, can be started and is no folder. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Names of what is in a folder; none of one that is not there or cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** True for a script that sends commands to this program. */
export function isShim(file: string): boolean {
  return headOf(file).includes(SHIM_MARK);
}

function isOwn(file: string, own: string): boolean {
  const head = headOf(file);
  return head.includes(SHIM_MARK) || head.includes(OWN_MARK) || realFile(file) === realFile(own);
}

/** The file behind all links; the path itself where nothing is there any more. */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function headOf(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return ''; // What may be started need not be readable.
  }
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString('latin1', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
