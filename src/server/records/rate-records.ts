import { integer } from './row.ts';
import { change, one, type SqlDatabase, type SqlRow } from './sql-work.ts';
import type { RateLimitUse, RateLimitRecords } from '../store/rate-limit-records.ts';

/** Times are stored in microseconds, so that a part of a minute is an integer. */
const MINUTE_US = 60_000_000;

/**
 * Implements rate limits as token buckets. The database stores only the time at which each bucket will be full again.
 */
export function rateRecords(database: SqlDatabase): RateLimitRecords {
  return {
    async consumeRateLimit(turn) {
      const { nowUs, costUs } = asTimes(turn);
      return await database.note(function* () {
        yield* change('DELETE FROM rate_limits WHERE full_at < ?', nowUs);
        const taken = yield* change(
          `INSERT INTO rate_limits (subject, full_at) VALUES (?1, ?2)
           ON CONFLICT (subject) DO UPDATE SET full_at =
             CASE WHEN rate_limits.full_at < ?3 THEN ?3 ELSE rate_limits.full_at END + ?4
           WHERE rate_limits.full_at <= ?5`,
          turn.subject,
          nowUs + costUs,
          nowUs,
          costUs,
          nowUs + MINUTE_US - costUs,
        );
        return taken > 0 ? 0 : waitMs(yield* one(SELECT_FULL, turn.subject), turn);
      });
    },
    async peekRateLimit(turn) {
      return waitMs(await database.read(() => one(SELECT_FULL, turn.subject)), turn);
    },
  };
}

const SELECT_FULL = 'SELECT full_at FROM rate_limits WHERE subject = ?';

/** Converts to microseconds. An empty bucket refills in a minute, and each event costs its share of that. */
function asTimes({ atMs, perMinute }: RateLimitUse): { readonly nowUs: number; readonly costUs: number } {
  return { nowUs: atMs * 1000, costUs: Math.floor(MINUTE_US / perMinute) };
}

function waitMs(row: SqlRow | null, turn: RateLimitUse): number {
  if (row === null) return 0;
  const { nowUs, costUs } = asTimes(turn);
  return Math.max(0, Math.ceil((integer(row, 'full_at') + costUs - nowUs - MINUTE_US) / 1000));
}
