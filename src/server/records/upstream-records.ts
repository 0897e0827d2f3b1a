import type {
  EvictionRecords,
  MirroredArchive,
  MirroredArchiveRecords,
  MirroredIndexFile,
  MirroredIndexRecords,
  MirrorUse,
  UpstreamRecords,
} from '../store/upstream-records.ts';
import { mirrorListRecords } from './mirror-list-records.ts';
import { asArchive, asFileName, asIndexState } from './mirror-rows.ts';
import { integer, optionalText, total } from './row.ts';
import { all, change, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';

/** Batch size of `eachMirroredArchive`. */
const BATCH_SIZE = 1000;

/** The size of the cache. Evicted index files have `checked_at` 0 and an empty body. */
const SUM_MIRRORED = `SELECT CAST((SELECT coalesce(sum(size), 0) FROM pulled_archives)
  + (SELECT coalesce(sum(size), 0) FROM pulled_index_files WHERE checked_at > 0) AS BIGINT) AS total`;

const LEAST_USED_INDEX_FILES = `SELECT upstream, lower_case_name, size, checked_at FROM pulled_index_files
  WHERE checked_at > 0 AND size > 0 ORDER BY checked_at LIMIT ?`;

/** Implements the record methods for the cache of upstreams. */
export function upstreamRecords(database: SqlDatabase): UpstreamRecords {
  return {
    ...indexFiles(database),
    ...archives(database),
    ...mirrorListRecords(database),
    ...evictions(database),
  };
}

function indexFiles(database: SqlDatabase): MirroredIndexRecords {
  return {
    async findMirroredIndex({ upstream, lowerCaseName }) {
      const sql = 'SELECT * FROM pulled_index_files WHERE upstream = ? AND lower_case_name = ?';
      const row = await database.read(() => one(sql, upstream, lowerCaseName));
      return row === null ? null : asIndexFile(row);
    },
    async findMirroredState({ upstream, lowerCaseName }) {
      const sql = `SELECT upstream, lower_case_name, etag, upstream_etag, upstream_modified, changed_at, checked_at, size
        FROM pulled_index_files WHERE upstream = ? AND lower_case_name = ?`;
      const row = await database.read(() => one(sql, upstream, lowerCaseName));
      return row === null ? null : asIndexState(row);
    },
    async saveMirroredIndex(file) {
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
    async touchMirroredIndex({ upstream, lowerCaseName }, checkedAtMs) {
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

function archives(database: SqlDatabase): MirroredArchiveRecords {
  const findArchive = function* (checksum: string): Work<MirroredArchive | null> {
    const row = yield* one('SELECT * FROM pulled_archives WHERE checksum = ?', checksum);
    return row === null ? null : asArchive(row);
  };
  return {
    async findMirroredArchive(checksum) {
      return await database.read(() => findArchive(checksum));
    },
    async saveMirroredArchive(archive) {
      return await database.write(function* () {
        yield* change(
          `INSERT INTO pulled_archives (checksum, size, blob_key, pulled_at, used_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT DO NOTHING`,
          archive.checksum,
          archive.size,
          archive.blobKey,
          archive.mirroredAtMs,
          archive.usedAtMs,
        );
        return (yield* findArchive(archive.checksum)) ?? archive;
      });
    },
    async removeMirroredArchive({ checksum, blobKey }) {
      await database.write(() =>
        change('DELETE FROM pulled_archives WHERE checksum = ? AND blob_key = ?', checksum, blobKey),
      );
    },
    async touchMirroredArchive(checksum, usedAtMs) {
      await database.writeUnsynced(() =>
        change('UPDATE pulled_archives SET used_at = ? WHERE checksum = ?', usedAtMs, checksum),
      );
    },
    async *eachMirroredArchive() {
      const sql = 'SELECT * FROM pulled_archives WHERE checksum > ? ORDER BY checksum LIMIT ?';
      for (let previous = ''; ; ) {
        const after = previous;
        const batch = (await database.read(() => all(sql, after, BATCH_SIZE))).map(asArchive);
        yield* batch;
        const last = batch.at(-1);
        if (last === undefined) return;
        previous = last.checksum;
      }
    },
  };
}

function evictions(database: SqlDatabase): EvictionRecords {
  return {
    async sumMirrored() {
      return total(await database.read(() => one(SUM_MIRRORED)));
    },
    async listLeastUsedMirrored(limit) {
      const [archives, files] = await database.readMoment(function* () {
        const archiveRows = yield* all('SELECT * FROM pulled_archives ORDER BY used_at LIMIT ?', limit);
        return [archiveRows, yield* all(LEAST_USED_INDEX_FILES, limit)] as const;
      });
      const uses: readonly MirrorUse[] = [
        ...archives.map((row) => ({ kind: 'archive', archive: asArchive(row) }) as const),
        ...files.map(asIndexUse),
      ];
      return uses.toSorted((a, b) => lastUse(a) - lastUse(b)).slice(0, limit);
    },
    async evictMirrored(use) {
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

function asIndexFile(row: SqlRow): MirroredIndexFile {
  const { size: _, ...state } = asIndexState(row);
  return { ...state, body: optionalText(row, 'body') };
}

function asIndexUse(row: SqlRow): MirrorUse {
  return {
    kind: 'index',
    file: asFileName(row),
    size: integer(row, 'size'),
    checkedAtMs: integer(row, 'checked_at'),
  };
}

function lastUse(use: MirrorUse): number {
  return use.kind === 'archive' ? use.archive.usedAtMs : use.checkedAtMs;
}
