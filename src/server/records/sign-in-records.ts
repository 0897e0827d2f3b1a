import { total } from './row.ts';
import { all, change, changeEach, one, type SqlDatabase } from './sql-work.ts';
import type { SignInAttemptRecords } from '../store/session-records.ts';

/** Serializes attempts of all processes: two concurrent counts could both allow the last attempt. */
const LOCK = {
  sqlite: null,
  postgres: "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '. sign-in attempts', 0))",
};

const COUNT = 'SELECT count(*) AS total FROM sign_in_failures WHERE subject = ? AND at >= ?';

/** Rows have no key, and several attempts may have the same time. */
const GIVE_BACK = {
  sqlite: `DELETE FROM sign_in_failures WHERE rowid =
    (SELECT rowid FROM sign_in_failures WHERE subject = ? AND at = ? LIMIT 1)`,
  postgres: `DELETE FROM sign_in_failures WHERE ctid =
    (SELECT ctid FROM sign_in_failures WHERE subject = ? AND at = ? LIMIT 1)`,
};

/** Implements the record methods for sign-in attempts that failed or are in progress. */
export function signInRecords(database: SqlDatabase): SignInAttemptRecords {
  return {
    async takeSignInAttempt({ limits, atMs, sinceMs }) {
      return await database.writeUnsynced(function* () {
        yield* all(LOCK);
        yield* change('DELETE FROM sign_in_failures WHERE at < ?', sinceMs);
        const counts = new Map<string, number>();
        for (const { subject, max } of limits) {
          const count = total(yield* one(COUNT, subject, sinceMs));
          if (max !== null && count >= max) return null;
          counts.set(subject, count + 1);
        }
        yield* changeEach(
          'INSERT INTO sign_in_failures VALUES (?, ?)',
          limits.map(({ subject }) => [subject, atMs]),
        );
        return counts;
      });
    },
    async giveBackSignInAttempt({ subjects, atMs, forgotten }) {
      await database.writeUnsynced(function* () {
        yield* all(LOCK);
        yield* changeEach(
          GIVE_BACK,
          subjects.map((subject) => [subject, atMs]),
        );
        if (forgotten !== null) yield* change('DELETE FROM sign_in_failures WHERE subject = ?', forgotten);
      });
    },
  };
}
