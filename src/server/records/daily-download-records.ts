import { present } from '../../core/errors/assert.ts';
import { canonicalName } from '../store/canonical-name.ts';
import type {
  DailyCount,
  DailyDownloadRecords,
  DailyDownloadRequest,
  DailyDownloads,
} from '../store/daily-download-records.ts';
import { integer, optionalInteger, placeholders } from './row.ts';
import { all, change, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';

/** Few enough that other requests wait only some milliseconds. */
const DELETED_AT_ONCE = 500;

const OLDEST = `SELECT version_id, day FROM daily_downloads WHERE day < ? ORDER BY day LIMIT ${DELETED_AT_ONCE}`;

/** Implements the record methods for downloads by day. */
export function dailyDownloadRecords(database: SqlDatabase): DailyDownloadRecords {
  return {
    async listDailyDownloads(crate, request) {
      return await database.readMoment(() => listDailyDownloads(crate, request));
    },
    async deleteDailyDownloads(day) {
      const changes = await database.writeUnsynced(() =>
        change(
          {
            sqlite: deleteStatement(OLDEST),
            // Other processes delete the same counts at the same time.
            postgres: deleteStatement(`${OLDEST} FOR UPDATE SKIP LOCKED`),
          },
          day,
        ),
      );
      return changes === DELETED_AT_ONCE;
    },
  };
}

function deleteStatement(selection: string): string {
  return `DELETE FROM daily_downloads WHERE (version_id, day) IN (${selection})`;
}

/** Sums the downloads by day and `group_id`: the ID of a requested version, or null for all others. */
function* listDailyDownloads(
  crate: string,
  { versionIds, fromDay }: DailyDownloadRequest,
): Work<DailyDownloads> {
  const start = present(yield* one('SELECT day FROM daily_downloads_start'), 'the first day of the counts');
  // `IN ()` is no valid SQL.
  const group =
    versionIds.length === 0
      ? 'NULL'
      : `CASE WHEN version_id IN (${placeholders(versionIds)}) THEN version_id END`;
  const rows = yield* all(
    `SELECT day, group_id, CAST(sum(downloads) AS BIGINT) AS downloads
     FROM (
       SELECT daily_downloads.day, ${group} AS group_id, daily_downloads.downloads
       FROM versions JOIN daily_downloads ON daily_downloads.version_id = versions.id
       WHERE versions.crate_id = (SELECT id FROM crates WHERE canonical_name = ?) AND daily_downloads.day >= ?
     ) AS grouped
     GROUP BY day, group_id ORDER BY day, group_id`,
    ...versionIds,
    canonicalName(crate),
    fromDay,
  );
  return { sinceDay: integer(start, 'day'), counts: rows.map(asDailyCount) };
}

function asDailyCount(row: SqlRow): DailyCount {
  return {
    day: integer(row, 'day'),
    versionId: optionalInteger(row, 'group_id'),
    downloads: integer(row, 'downloads'),
  };
}
