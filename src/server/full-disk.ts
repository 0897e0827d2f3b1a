import { errnoOf, osErrorText } from '../disk/errno.ts';
import { TsregError } from '../errors/error.ts';

/** No room, a quota, and a limit for the sizes of files. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** How SQLite and PostgreSQL say it. */
const FULL_WORDS = /disk is full|\(53100\)$/;

/** True for an error of a system or a database that has no room, whatever it was wrapped in. */
export function isAboutRoom(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (FULL.has(errnoOf(at) ?? '') || FULL_WORDS.test(at.message)) return true;
  }
  return false;
}

/** Does `work`; where it meets a disk that takes no more, the error has `hint` in place of Node's own words. */
export async function withRoom<T>(hint: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!FULL.has(errnoOf(error) ?? '')) throw error;
    throw new TsregError(osErrorText(error), { code: 'io', hint });
  }
}
