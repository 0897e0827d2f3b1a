import { present } from '../../core/errors/assert.ts';
import type { UsageRecords } from '../store/usage-records.ts';
import { integer, optionalInteger, total } from './row.ts';
import { one, type SqlDatabase } from './sql-work.ts';

/** Few enough that other requests wait only some milliseconds. */
const BATCH_SIZE = 2_000;

const SUM_BATCH = `SELECT CAST(coalesce(sum(size), 0) AS BIGINT) AS bytes, max(id) AS last
  FROM (SELECT id, size FROM versions WHERE id > ? ORDER BY id LIMIT ${BATCH_SIZE}) AS batch`;

/** Implements the record methods for figures. */
export function usageRecords(database: SqlDatabase): UsageRecords {
  return {
    async sumVersionSizes() {
      let bytes = 0;
      for (let after: number | null = 0; after !== null; ) {
        const previous: number = after;
        const row = present(await database.read(() => one(SUM_BATCH, previous)), 'the sum of a batch');
        bytes += integer(row, 'bytes');
        after = optionalInteger(row, 'last');
      }
      return bytes;
    },
    async countUsableTokens(atMs) {
      const sql = `SELECT count(*) AS total FROM tokens
        WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`;
      return total(await database.read(() => one(sql, atMs)));
    },
  };
}
