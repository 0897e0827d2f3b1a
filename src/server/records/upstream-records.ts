import type {
  EvictionRecords,
  PulledArchive,
  PulledArchiveRecords,
  PulledFileName,
  PulledIndexFile,
  PulledIndexRecords,
  PulledIndexState,
  PulledUse,
  UpstreamRecords,
} from '../store/upstream-records.ts';
import { integer, optionalInteger, optionalText, text, total } from './row.ts';
import { all, change, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';

/** Batch size of `eachPulledArchive`. */
const BATCH_SIZE = 1000;

const SUM_PULLED = `SELECT CAST((SELECT coalesce(sum(size), 0) FROM pulled_archives)
  + (SELECT coalesce(sum(size), 0) FROM pulled_index_files WHERE checked_at > 0) AS BIGINT) AS total`;

const LEAST_USED_INDEX_FILES = `SELECT upstream, lower_case_name, size, checked_at FROM pulled_index_files
  WHERE checked_at > 0 AND size > 0 ORDER BY checked_at LIMIT ?`;

/** Implements the record methods for the cache of upstreams. */
export function upstreamRecords(database: SqlDatabase): UpstreamRecords {
  return { ...indexFiles(database), ...archives(database), ...evictions(database) };
}

function indexFiles(database: SqlDatabase): PulledIndexRecords {
  return {
    async findPulledIndex({ upstream, lowerCaseName }) {
      const sql = 'SELECT * FROM pulled_index_files WHERE upstream = ? AND lower_case_name = ?';
      const row = await database.read(() => one(sql, upstream, lowerCaseName));
      return row === null ? null : asIndexFile(row);
    },
    async findPulledState({ upstream, lowerCaseName }) {
      const sql = `SELECT upstream, lower_case_name, etag, upstream_etag, upstream_modified, changed_at, checked_at, size
        FROM pulled_index_files WHERE upstream = ? AND lower_case_name = ?`;
      const row = await database.read(() => one(sql, upstream, lowerCaseName));
      return row === null ? null : asIndexState(row);
    },
    async savePulledIndex(file) {
      await database.write(() =>
        change(
          `INSERT INTO pulled_index_files (upstream, lower_case_name, body, etag, upstream_etag, upstream_modified,
           changed_at, checked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (upstream, lower_case_name) DO UPDATE SET body = excluded.body, etag = excluded.etag,
           upstream_etag = excluded.upstream_etag, upstream_modified = excluded.upstream_modified,
           changed_at = excluded.changed_at, checked_at = excluded.checked_at`,
          file.upstream,
          file.lowerCaseName,
          file.body,
          file.etag,
          file.upstreamEtag,
          file.upstreamModified,
          file.changedAtMs,
          file.checkedAtMs,
        ),
      );
    },
    async touchPulledIndex({ upstream, lowerCaseName }, checkedAtMs) {
      await database.write(() =>
        change(
          'UPDATE pulled_index_files SET checked_at = ? WHERE upstream = ? AND lower_case_name = ?',
          checkedAtMs,
          upstream,
          lowerCaseName,
        ),
      );
    },
  };
}

function archives(database: SqlDatabase): PulledArchiveRecords {
  const findArchive = function* (checksum: string): Work<PulledArchive | null> {
    const row = yield* one('SELECT * FROM pulled_archives WHERE checksum = ?', checksum);
    return row === null ? null : asArchive(row);
  };
  return {
    async findPulledArchive(checksum) {
      return await database.read(() => findArchive(checksum));
    },
    async savePulledArchive(archive) {
      return await database.write(function* () {
        yield* change(
          `INSERT INTO pulled_archives (checksum, size, blob_key, pulled_at, used_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT DO NOTHING`,
          archive.checksum,
          archive.size,
          archive.blobKey,
          archive.pulledAtMs,
          archive.usedAtMs,
        );
        return (yield* findArchive(archive.checksum)) ?? archive;
      });
    },
    async forgetPulledArchive({ checksum, blobKey }) {
      await database.write(() =>
        change('DELETE FROM pulled_archives WHERE checksum = ? AND blob_key = ?', checksum, blobKey),
      );
    },
    async touchPulledArchive(checksum, usedAtMs) {
      await database.note(() =>
        change('UPDATE pulled_archives SET used_at = ? WHERE checksum = ?', usedAtMs, checksum),
      );
    },
    async *eachPulledArchive() {
      for (let after = ''; ; ) {
        const sql = 'SELECT * FROM pulled_archives WHERE checksum > ? ORDER BY checksum LIMIT ?';
        const from = after;
        const archives = (await database.read(() => all(sql, from, BATCH_SIZE))).map(asArchive);
        yield* archives;
        const last = archives.at(-1);
        if (last === undefined) return;
        after = last.checksum;
      }
    },
  };
}

function evictions(database: SqlDatabase): EvictionRecords {
  return {
    async sumPulled() {
      return total(await database.read(() => one(SUM_PULLED)));
    },
    async listLeastUsedPulled(limit) {
      const rows = await database.readMoment(function* () {
        const archives = yield* all('SELECT * FROM pulled_archives ORDER BY used_at LIMIT ?', limit);
        return [archives, yield* all(LEAST_USED_INDEX_FILES, limit)] as const;
      });
      const [archives, files] = rows;
      const uses: readonly PulledUse[] = [
        ...archives.map((row) => ({ kind: 'archive', archive: asArchive(row) }) as const),
        ...files.map(asIndexUse),
      ];
      return uses.toSorted((a, b) => lastUse(a) - lastUse(b)).slice(0, limit);
    },
    async evictPulled(use) {
      return await database.write(function* () {
        if (use.kind === 'archive') {
          const { checksum, blobKey, usedAtMs } = use.archive;
          const sql = 'DELETE FROM pulled_archives WHERE checksum = ? AND blob_key = ? AND used_at = ?';
          return (yield* change(sql, checksum, blobKey, usedAtMs)) > 0;
        }
        const { upstream, lowerCaseName } = use.file;
        const sql = `UPDATE pulled_index_files SET body = '', upstream_etag = NULL, upstream_modified = NULL,
          checked_at = 0 WHERE upstream = ? AND lower_case_name = ? AND checked_at = ?`;
        return (yield* change(sql, upstream, lowerCaseName, use.checkedAtMs)) > 0;
      });
    },
  };
}

function asIndexFile(row: SqlRow): PulledIndexFile {
  const { size: _, ...state } = asIndexState(row);
  return { ...state, body: optionalText(row, 'body') };
}

function asIndexUse(row: SqlRow): PulledUse {
  return {
    kind: 'index',
    file: asFileName(row),
    size: integer(row, 'size'),
    checkedAtMs: integer(row, 'checked_at'),
  };
}

function lastUse(use: PulledUse): number {
  return use.kind === 'archive' ? use.archive.usedAtMs : use.checkedAtMs;
}

function asFileName(row: SqlRow): PulledFileName {
  return { upstream: text(row, 'upstream'), lowerCaseName: text(row, 'lower_case_name') };
}

function asIndexState(row: SqlRow): PulledIndexState {
  return {
    ...asFileName(row),
    size: optionalInteger(row, 'size'),
    etag: text(row, 'etag'),
    upstreamEtag: optionalText(row, 'upstream_etag'),
    upstreamModified: optionalText(row, 'upstream_modified'),
    changedAtMs: integer(row, 'changed_at'),
    checkedAtMs: integer(row, 'checked_at'),
  };
}

function asArchive(row: SqlRow): PulledArchive {
  return {
    checksum: text(row, 'checksum'),
    size: integer(row, 'size'),
    blobKey: text(row, 'blob_key'),
    pulledAtMs: integer(row, 'pulled_at'),
    usedAtMs: integer(row, 'used_at'),
  };
}
