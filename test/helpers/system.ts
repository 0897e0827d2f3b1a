import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

/** True on Windows. Tests that need something else use `skipIf(onWindows)`, with the reason in the name. */
export const onWindows = process.platform === 'win32';

const WORDS = {
  ENOENT: [
    'No such file or directory (os error 2)',
    'The system cannot find the file specified. (os error 2)',
  ],
  ENOTDIR: ['Not a directory (os error 20)', 'The directory name is invalid. (os error 267)'],
  EISDIR: ['Is a directory (os error 21)', 'Access is denied. (os error 5)'],
} as const;

/** Returns the system's message for an error, as programs print it. */
export function osWords(name: keyof typeof WORDS): string {
  return WORDS[name][onWindows ? 1 : 0];
}

/** The system's message for a missing file. */
export const NOT_FOUND = osWords('ENOENT');

/** Checks the permission bits of a file or folder, except on Windows, which has none. */
export function expectMode(path: string, mode: number): void {
  if (!onWindows) expect(statSync(path).mode & 0o777).toBe(mode);
}

/**
 * Returns the folder of `registry` and `git` for a CARGO_HOME. On Windows it differs from cargo's, which cannot be
 * locked.
 */
export function packagesHome(home: string): string {
  return onWindows ? path.join(home, 'tsreg', 'unshared') : home;
}

/** The end of the system's message for a path below a file. Windows has several. */
export const BELOW_A_FILE = onWindows ? /\(os error (?:2|183|267)\)$/ : /Not a directory \(os error 20\)$/;

/** False if `a` and `A` are the same file, as usual on Windows and macOS. */
export const hasNamesByCase = !existsSync(import.meta.filename.toUpperCase());
