import { errnoOf, osErrorText } from '../../io/disk/errno.ts';
import { TsregError } from '../../core/errors/error.ts';
import { errorChain } from './error-chain.ts';

/** Errors about free space, quotas and file size limits. */
const DISK_FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Messages for a full disk: SQLite's `SQLITE_FULL`, and PostgreSQL's `disk_full` with its code, which tsreg appends. */
const DISK_FULL_MESSAGES = /disk is full|\(53100\)$/;

/** Returns true if the error or one of its causes reports a full disk. */
export function isDiskFullError(error: unknown): boolean {
  for (const link of errorChain(error)) {
    if (hasDiskFullCode(link) || DISK_FULL_MESSAGES.test(link.message)) return true;
  }
  return false;
}

/** Runs `work`. If it fails because the disk is full, throws an `io` error with `hint` instead of Node's error. */
export async function withDiskFullHint<T>(hint: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!hasDiskFullCode(error)) throw error;
    throw new TsregError(osErrorText(error), { code: 'io', hint });
  }
}

function hasDiskFullCode(error: unknown): boolean {
  const code = errnoOf(error);
  return code !== null && DISK_FULL_CODES.has(code);
}
