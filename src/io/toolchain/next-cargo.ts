/** The `cargo` that comes after tsreg on the `PATH`. */
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

/** The start of a line at the head of a script that forwards commands to tsreg. */
export const SHIM_MARK = '# tsreg shim:';

/** A part of a line at the head of `bin/tsreg.js`, tsreg's own file. */
export const OWN_MARK = 'dist/cli/main.cjs';
/** Both marks are in the first bytes of their files. */
const HEAD_BYTES = 1024;
const CARGO_FILE = process.platform === 'win32' ? 'cargo.exe' : 'cargo';

/**
 * Returns the absolute path of the first program `cargo` in the absolute folders of `path` that is not tsreg, a link to
 * it, or a script that starts it. `ownFile` is the file of tsreg. Returns null if there is none.
 */
export function nextCargo(path: string, ownFile: string): string | null {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, CARGO_FILE);
    if (isAbsolute(folder) && isExecutable(file) && !isOwn(file, ownFile)) return file;
  }
  return null;
}

/** Returns the first executable `cargo` in `path`, even if it is tsreg; null if there is none. Not for Windows. */
export function firstCargo(path: string): string | null {
  const files = path.split(delimiter).map((folder) => join(folder, 'cargo'));
  return files.find((file) => isExecutable(file)) ?? null;
}

/** Returns true for an executable file that is not a folder. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Returns the names in a folder; empty if it does not exist or cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns true for a script that forwards commands to tsreg. */
export function isShim(file: string): boolean {
  return headOf(file).includes(SHIM_MARK);
}

/** Returns true for tsreg, a link to it, or a script that starts it. */
function isOwn(file: string, ownFile: string): boolean {
  const head = headOf(file);
  return head.includes(SHIM_MARK) || head.includes(OWN_MARK) || realFile(file) === realFile(ownFile);
}

/** Returns the path with all links resolved; the path itself if nothing is there. */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** Returns the first bytes of a file as latin1; empty if it cannot be read. */
function headOf(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return ''; // An executable file need not be readable.
  }
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString('latin1', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
