import { canonicalName } from '../canonical-name.ts';
import type {
  OwnName,
  OwnNameChange,
  PulledArchive,
  PulledIndexFile,
  UpstreamRecords,
} from '../upstream-store.ts';
import { insertAudit } from './audit-records.ts';
import { integer, optionalText, text } from './row.ts';
import { all, change, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';

/** How many archives `eachPulledArchive` reads at once. */
const PART = 1000;

const IS_SET_ASIDE = `EXISTS (SELECT 1 FROM own_names WHERE pattern = ?1 OR (pattern LIKE '%*'
  AND substr(pattern, 1, length(pattern) - 1) = substr(?1, 1, length(pattern) - 1)))`;

/** What is kept of an upstream, and the names that are not taken from it. */
export function upstreamRecords(database: SqlDatabase): UpstreamRecords {
  const findArchive = function* (checksum: string): Work<PulledArchive | null> {
    const row = yield* one('SELECT * FROM pulled_archives WHERE checksum = ?', checksum);
    return row === null ? null : asArchive(row);
  };
  return {
    async findPulledIndex({ upstream, lowerCaseName }) {
      const sql = 'SELECT * FROM pulled_index_files WHERE upstream = ? AND lower_case_name = ?';
      const row = await database.read(() => one(sql, upstream, lowerCaseName));
      return row === null ? null : asIndexFile(row);
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
    async findPulledArchive(checksum) {
      return await database.read(() => findArchive(checksum));
    },
    async savePulledArchive(archive) {
      return await database.write(function* () {
        yield* change(
          'INSERT INTO pulled_archives VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
          archive.checksum,
          archive.size,
          archive.blobKey,
          archive.pulledAtMs,
        );
        return (yield* findArchive(archive.checksum)) ?? archive;
      });
    },
    async forgetPulledArchive({ checksum, blobKey }) {
      await database.write(() =>
        change('DELETE FROM pulled_archives WHERE checksum = ? AND blob_key = ?', checksum, blobKey),
      );
    },
    async *eachPulledArchive() {
      for (let after = ''; ; ) {
        const sql = 'SELECT * FROM pulled_archives WHERE checksum > ? ORDER BY checksum LIMIT ?';
        const from = after;
        const archives = (await database.read(() => all(sql, from, PART))).map(asArchive);
        yield* archives;
        const last = archives.at(-1);
        if (last === undefined) return;
        after = last.checksum;
      }
    },
    async isOwnName(name) {
      const sql = `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM crates WHERE canonical_name = ?1) OR ${IS_SET_ASIDE}`;
      return (await database.read(() => one(sql, canonicalName(name)))) !== null;
    },
    async isSetAside(name) {
      const sql = `SELECT 1 AS found WHERE ${IS_SET_ASIDE}`;
      return (await database.read(() => one(sql, canonicalName(name)))) !== null;
    },
    async listOwnNames() {
      return (await database.read(() => all('SELECT * FROM own_names ORDER BY pattern'))).map(asOwnName);
    },
    async addOwnName(wanted) {
      return await database.write(function* () {
        if (!(yield* setNameAside(wanted))) return false;
        yield* audit('add-own-name', wanted);
        return true;
      });
    },
    async removeOwnName(wanted) {
      return await database.write(function* () {
        const sql = 'DELETE FROM own_names WHERE pattern = ?';
        if ((yield* change(sql, canonicalName(wanted.pattern))) === 0) return false;
        yield* audit('remove-own-name', wanted);
        return true;
      });
    },
  };
}

/** False if it was set aside before. */
export function* setNameAside({ pattern, reason, atMs }: OwnNameChange): Work<boolean> {
  const sql = 'INSERT INTO own_names VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
  return (yield* change(sql, canonicalName(pattern), reason, atMs)) > 0;
}

function* audit(
  action: 'add-own-name' | 'remove-own-name',
  { pattern, reason, atMs }: OwnNameChange,
): Work<void> {
  yield* insertAudit({
    ...{ atMs, actor: null, tokenId: null, action, crate: canonicalName(pattern) },
    ...{ version: null, subject: null, detail: reason },
  });
}

function asIndexFile(row: SqlRow): PulledIndexFile {
  return {
    upstream: text(row, 'upstream'),
    lowerCaseName: text(row, 'lower_case_name'),
    body: optionalText(row, 'body'),
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
  };
}

function asOwnName(row: SqlRow): OwnName {
  return {
    pattern: text(row, 'pattern'),
    reason: optionalText(row, 'reason'),
    addedAtMs: integer(row, 'added_at'),
  };
}
