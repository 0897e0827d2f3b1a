import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

/** True on Windows: what it does not have is skipped by `skipIf(onWindows)`, with the reason in the name. */
export const onWindows = process.platform === 'win32';

const WORDS = {
  ENOENT: [
    'No such file or directory (os error 2)',
    'The system cannot find the file specified. (os error 2)',
  ],
  ENOTDIR: ['Not a directory (os error 20)', 'The directory name is invalid. (os error 267)'],
  EISDIR: ['Is a directory (os error 21)', 'Access is denied. (os error 5)'],
} as const;

/** The system's own words for an error, as programs have them. */
export function osWords(name: keyof typeof WORDS): string {
  return WORDS[name][onWindows ? 1 : 0];
}

/** What the system says of what is not there. */
export const NOT_FOUND = osWords('ENOENT');

/** Expects the permission bits of a file or folder. Windows has none, and nothing is expected there. */
export function expectMode(path: string, mode: number): void {
  if (!onWindows) expect(statSync(path).mode & 0o777).toBe(mode);
}

/** The folder of a CARGO_HOME in which `registry` and `git` are written: Windows cannot lock cargo's own. */
export function packagesHome(home: string): string {
  return onWindows ? path.join(home, 'tsreg', 'unshared') : home;
}

/** What ends the words of the system on a path below a file; Windows has several. */
export const BELOW_A_FILE = onWindows ? /\(os error (?:2|183|267)\)$/ : /Not a directory \(os error 20\)$/;

/** False where `a` and `A` are one file, as usual on Windows and macOS. */
export const hasNamesByCase = !existsSync(import.meta.filename.toUpperCase());
