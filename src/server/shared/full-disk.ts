import { errnoOf, osErrorText } from '../../io/disk/errno.ts';
import { TsregError } from '../../core/errors/error.ts';
import { errorChain } from './error-chain.ts';

/** Errors about free space, quotas and file size limits. */
const DISK_FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Message of SQLite for a full disk (`SQLITE_FULL`). */
const SQLITE_FULL = /disk is full/;
/** The end of a message about PostgreSQL's `disk_full`: `records/postgres-errors.ts` appends the code. */
const POSTGRES_FULL = /\(53100\)$/;

/** Returns true if the error or one of its causes reports a full disk. */
export function isDiskFullError(error: unknown): boolean {
  return isLocalDiskFull(error) || hasLink(error, ({ message }) => POSTGRES_FULL.test(message));
}

/**
 * Runs `work`. If it fails because a disk of this machine is full, throws an `io` error with the same message and cause,
 * and with `hint`. Rethrows the error of a PostgreSQL server: its own hint names the disk of that server.
 */
export async function withDiskFullHint<T>(hint: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isLocalDiskFull(error)) throw error;
    const cause = error instanceof Error ? error.cause : undefined;
    throw new TsregError(osErrorText(error), { code: 'io', cause, hint });
  }
}

function isLocalDiskFull(error: unknown): boolean {
  return hasLink(error, (link) => DISK_FULL_CODES.has(errnoOf(link) ?? '') || SQLITE_FULL.test(link.message));
}

/** Returns true if the error or one of its causes matches. */
function hasLink(error: unknown, matches: (link: Error) => boolean): boolean {
  for (const link of errorChain(error)) if (matches(link)) return true;
  return false;
}
