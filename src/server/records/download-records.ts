import { dayOf } from '../shared/days.ts';
import { canonicalName } from '../store/canonical-name.ts';
import { text } from './row.ts';
import { all, change, one, type SqlDatabase, type Work } from './sql-work.ts';
import type { DownloadCount, CrateRecords } from '../store/crate-records.ts';

/** The counts as a table in PostgreSQL: one JSON text for any number of them. */
const COUNTS_AS_ROWS = `jsonb_to_recordset(CAST(CAST(? AS TEXT) AS JSONB)) AS given (crate TEXT, version TEXT, count BIGINT)`;

/** A crate whose count is not the sum of its versions' counts. */
const MISCOUNTED = `SELECT crates.name FROM crates
  JOIN (SELECT crate_id, CAST(sum(downloads) AS BIGINT) AS downloads FROM versions GROUP BY crate_id) AS counted
  ON counted.crate_id = crates.id WHERE crates.downloads <> counted.downloads LIMIT 1`;

/** Implements the record methods for download counts. */
export function downloadRecords(
  database: SqlDatabase,
): Pick<CrateRecords, 'addDownloads' | 'findMiscounted'> {
  return {
    async addDownloads(counts, atMs) {
      if (counts.length === 0) return;
      const day = dayOf(atMs);
      await database.write(() =>
        database.dialect === 'sqlite' ? addOneByOne(counts, day) : addAllAtOnce(counts, day),
      );
    },
    async findMiscounted() {
      const row = await database.read(() => one(MISCOUNTED));
      return row === null ? null : text(row, 'name');
    },
  };
}

/** Adds each count with its own statements: in SQLite, these are no round trips. */
function* addOneByOne(counts: readonly DownloadCount[], day: number): Work<void> {
  for (const { crate, version, count } of counts) {
    const name = canonicalName(crate);
    const changes = yield* change(
      `UPDATE versions SET downloads = downloads + ?
       WHERE crate_id = (SELECT id FROM crates WHERE canonical_name = ?) AND version = ?`,
      count,
      name,
      version,
    );
    if (changes === 0) continue;
    yield* change('UPDATE crates SET downloads = downloads + ? WHERE canonical_name = ?', count, name);
    yield* change(
      `INSERT INTO daily_downloads (version_id, day, downloads)
       SELECT id, ?, ? FROM versions
       WHERE crate_id = (SELECT id FROM crates WHERE canonical_name = ?) AND version = ?
       ON CONFLICT (version_id, day) DO UPDATE SET downloads = downloads + excluded.downloads`,
      day,
      count,
      name,
      version,
    );
  }
}

/** Adds all counts with two statements, because each statement is a round trip to the database. */
function* addAllAtOnce(counts: readonly DownloadCount[], day: number): Work<void> {
  const countsJson = JSON.stringify(
    counts.map(({ crate, version, count }) => ({ crate: canonicalName(crate), version, count })),
  );
  // All processes lock crates in the same order, so that they cannot deadlock.
  yield* all(
    `SELECT id FROM crates WHERE canonical_name IN (SELECT given.crate FROM ${COUNTS_AS_ROWS}) ORDER BY id FOR UPDATE`,
    countsJson,
  );
  yield* change(
    `WITH wanted AS (SELECT crate, version, sum(count) AS count FROM ${COUNTS_AS_ROWS} GROUP BY crate, version),
     counted AS (
       UPDATE versions SET downloads = versions.downloads + wanted.count
       FROM wanted JOIN crates ON crates.canonical_name = wanted.crate
       WHERE versions.crate_id = crates.id AND versions.version = wanted.version
       RETURNING versions.id, versions.crate_id, wanted.count),
     by_day AS (
       INSERT INTO daily_downloads (version_id, day, downloads) SELECT id, CAST(? AS BIGINT), count FROM counted
       ON CONFLICT (version_id, day) DO UPDATE SET downloads = daily_downloads.downloads + excluded.downloads)
     UPDATE crates SET downloads = crates.downloads + sums.count
     FROM (SELECT crate_id, sum(count) AS count FROM counted GROUP BY crate_id) AS sums
     WHERE crates.id = sums.crate_id`,
    countsJson,
    day,
  );
}
