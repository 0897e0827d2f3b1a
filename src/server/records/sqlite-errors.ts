/** Interprets errors of SQLite. */
import { TsregError } from '../../core/errors/error.ts';
import { asReadOnly } from './read-only.ts';

/** Matches the message for a full disk. */
const FULL = /disk is full/;

/** Advice by SQLite's messages, because the two drivers have no common error codes. */
const HINTS: readonly (readonly [words: RegExp, hint: string])[] = [
  [FULL, 'free space on the disk of the folder; no confirmed change is lost'],
  [/disk I\/O error/, 'check the log of the system, and the free space on the disk of the folder'],
  [/readonly database/, 'the folder and all files in it must be writable'],
  [/is locked/, 'another program has locked the file: stop it, and try again'],
  [/malformed|not a database/, '`tsreg serve restore` replaces the folder with a backup'],
];

/**
 * Returns the error to throw to the caller: `io` for a known problem of the disk or the file, `ReadOnlyRecords` if the
 * records are read-only. Other errors stay as they are. `target` is the written file, if it is not that of the records.
 */
export function asSqliteError(error: unknown, target: string | null = null): unknown {
  const readOnly = asReadOnly(error);
  if (readOnly !== null) return readOnly;
  if (error instanceof TsregError || !(error instanceof Error)) return error;
  const hint = sqliteHint(error.message);
  if (hint === null) return error;
  const what = target !== null && isFull(error) ? `\`${target}\`` : 'the records';
  return new TsregError(`${what} cannot be used: ${error.message}`, { code: 'io', hint });
}

/** Returns true if the disk was full. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && FULL.test(error.message);
}

/** Returns advice about a message of SQLite; null for unknown messages. */
export function sqliteHint(message: string): string | null {
  return HINTS.find(([words]) => words.test(message))?.[1] ?? null;
}
