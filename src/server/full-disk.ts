import { errnoOf, osErrorText } from '../disk/errno.ts';
import { TsregError } from '../errors/error.ts';

/** No room, a quota, and a limit for the sizes of files. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Does `work`; where it meets a disk that takes no more, the error has `hint` in place of Node's own words. */
export async function withRoom<T>(hint: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!FULL.has(errnoOf(error) ?? '')) throw error;
    throw new TsregError(osErrorText(error), { code: 'io', hint });
  }
}
