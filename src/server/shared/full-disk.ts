import { errnoOf, osErrorText } from '../../io/disk/errno.ts';
import { TsregError } from '../../core/errors/error.ts';

/** Errors about free space, quotas and file size limits. */
const DISK_FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Messages of SQLite and PostgreSQL for a full disk. */
const FULL_WORDS = /disk is full|\(53100\)$/;

/** Returns true if the error or one of its causes reports a full disk. */
export function isDiskFullError(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (DISK_FULL_CODES.has(errnoOf(at) ?? '') || FULL_WORDS.test(at.message)) return true;
  }
  return false;
}

/** Runs `work`. If it fails because the disk is full, throws an `io` error with `hint` instead of Node's error. */
export async function withDiskFullHint<T>(hint: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!DISK_FULL_CODES.has(errnoOf(error) ?? '')) throw error;
    throw new TsregError(osErrorText(error), { code: 'io', hint });
  }
}
