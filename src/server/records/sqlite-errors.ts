/** What errors of SQLite mean. */
import { TsregError } from '../../errors/error.ts';
import { asSealed } from './seal.ts';

/** What a disk that is full is said by. */
const FULL = /disk is full/;

/** What to do about what SQLite says, by its words: its two drivers have no codes in common. */
const HINTS: readonly (readonly [words: RegExp, hint: string])[] = [
  [FULL, 'free space on the disk of the folder; no confirmed change is lost'],
  [/disk I\/O error/, 'check the log of the system, and the free space on the disk of the folder'],
  [/readonly database/, 'the folder and all files in it must be writable'],
  [/is locked/, 'another program has locked the file: stop it, and try again'],
  [/malformed|not a database/, '`tsreg serve restore` replaces the folder with a backup'],
];

/**
 * The error for whoever asked: `io` where the disk or the file is at fault, and what was thrown where it is none of
 * SQLite's. `target` is what was written, if that is not where the records are.
 */
export function asSqliteError(error: unknown, target: string | null = null): unknown {
  const sealed = asSealed(error);
  if (sealed !== null) return sealed;
  if (error instanceof TsregError || !(error instanceof Error)) return error;
  const hint = sqliteHint(error.message);
  if (hint === null) return error;
  const what = target !== null && isFull(error) ? `\`${target}\`` : 'the records';
  return new TsregError(`${what} cannot be used: ${error.message}`, { code: 'io', hint });
}

/** True where there was no room for what was to be written. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && FULL.test(error.message);
}

/** What to do about what SQLite says; null where there is nothing to be done. */
export function sqliteHint(message: string): string | null {
  return HINTS.find(([words]) => words.test(message))?.[1] ?? null;
}
