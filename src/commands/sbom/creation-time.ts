/** The time in a bill of materials. https://reproducible-builds.org/specs/source-date-epoch/ */
import { TsregError } from '../../core/errors/error.ts';
import type { Environment } from '../../io/config/environment.ts';

const NAME = 'SOURCE_DATE_EPOCH';
/** The end of the year 9999: later years do not fit into the formats. */
const MAX_SECONDS = 253_402_300_799;

/** Returns the time in `SOURCE_DATE_EPOCH`; null if it is not set. Throws `config` if it is no number of seconds. */
export function creationTime(env: Environment): Date | null {
  const text = env[NAME] ?? '';
  if (text === '') return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (seconds <= MAX_SECONDS) return new Date(seconds * 1000);
  throw new TsregError(`\`${NAME}\` must be a number of seconds since 1970, not \`${text}\``, {
    code: 'config',
    hint: `set it to the time of the last commit: \`export ${NAME}=$(git log -1 --format=%ct)\``,
  });
}
