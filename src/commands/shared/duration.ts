/** Durations on the command line. */
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
/** The longest timer of Node: almost 25 days. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Returns the milliseconds of a duration: `90` and `90s` are seconds, `5m` minutes, `2h` hours, `1h30m` both. Throws
 * `usage`, naming `flag`, if `text` is not a duration, or if it is longer than `MAX_MS`.
 */
export function parseDuration(text: string, flag: string): number {
  const duration = /^\d+$/.test(text) ? `${text}s` : text;
  const isDuration = /^(?:\d+[hms])+$/.test(duration);
  const parts = duration.match(/\d+[hms]/g) ?? [];
  const ms = parts.reduce(
    (sum, part) =>
      sum + Number(part.slice(0, -1)) * present(UNIT_MS[part.slice(-1)], 'the unit of a duration'),
    0,
  );
  if (isDuration && ms <= MAX_MS) return ms;
  throw new TsregError(
    `\`${flag}\` takes a length of time such as \`90s\`, \`5m\` or \`1h30m\`, not \`${text}\``,
    {
      code: 'usage',
    },
  );
}
