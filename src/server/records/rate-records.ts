import { integer } from './row.ts';
import { change, one, type SqlDatabase, type SqlRow } from './sql-work.ts';
import type { RateLimitUse, RateLimitRecords } from '../store/rate-limit-records.ts';

/** Times are stored in microseconds, so that a part of a minute is an integer. */
const MINUTE_US = 60_000_000;

const SELECT_FULL_AT = 'SELECT full_at FROM rate_limits WHERE subject = ?';

/**
 * Implements rate limits as token buckets. The database stores only the time at which each bucket will be full again.
 */
export function rateRecords(database: SqlDatabase): RateLimitRecords {
  return {
    async consumeRateLimit(use) {
      const { nowUs, costUs } = inMicroseconds(use);
      return await database.writeUnsynced(function* () {
        yield* change('DELETE FROM rate_limits WHERE full_at < ?', nowUs);
        // Moves `full_at` by the cost of the event, to at most a minute after now.
        const changes = yield* change(
          `INSERT INTO rate_limits (subject, full_at) VALUES (?1, ?2)
           ON CONFLICT (subject) DO UPDATE SET full_at =
             CASE WHEN rate_limits.full_at < ?3 THEN ?3 ELSE rate_limits.full_at END + ?4
           WHERE rate_limits.full_at <= ?5`,
          use.subject,
          nowUs + costUs,
          nowUs,
          costUs,
          nowUs + MINUTE_US - costUs,
        );
        return changes > 0 ? 0 : waitMs(yield* one(SELECT_FULL_AT, use.subject), use);
      });
    },
    async peekRateLimit(use) {
      return waitMs(await database.read(() => one(SELECT_FULL_AT, use.subject)), use);
    },
  };
}

/**
 * Returns the time and the cost of an event in microseconds. An empty bucket refills in a minute, and each event costs
 * its share of that.
 */
function inMicroseconds({ atMs, perMinute }: RateLimitUse): {
  readonly nowUs: number;
  readonly costUs: number;
} {
  return { nowUs: atMs * 1000, costUs: Math.floor(MINUTE_US / perMinute) };
}

/** Returns how long to wait until `full_at`, moved by the cost of the event, is at most a minute after now. */
function waitMs(row: SqlRow | null, use: RateLimitUse): number {
  if (row === null) return 0;
  const { nowUs, costUs } = inMicroseconds(use);
  return Math.max(0, Math.ceil((integer(row, 'full_at') + costUs - nowUs - MINUTE_US) / 1000));
}
