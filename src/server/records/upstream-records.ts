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
import type { SqliteDatabase, SqlRow } from './sqlite-database.ts';

/** How many archives `eachPulledArchive` reads at once. */
const PART = 1000;

const IS_SET_ASIDE = `EXISTS (SELECT 1 FROM own_names WHERE pattern = ?1 OR (substr(pattern, -1) = '*'
  AND substr(pattern, 1, length(pattern) - 1) = substr(?1, 1, length(pattern) - 1)))`;

/** What is kept of an upstream, and the names that are not taken from it. */
export function upstreamRecords(database: SqliteDatabase): UpstreamRecords {
  const findArchive = (checksum: string): PulledArchive | null => {
    const row = database.get('SELECT * FROM pulled_archives WHERE checksum = ?', checksum);
    return row === null ? null : asArchive(row);
  };
  return {
    async findPulledIndex({ upstream, lowerCaseName }) {
      const row = database.get(
        'SELECT * FROM pulled_index_files WHERE upstream = ? AND lower_case_name = ?',
        upstream,
        lowerCaseName,
      );
      return row === null ? null : asIndexFile(row);
    },
    async savePulledIndex(file) {
      await database.write(() =>
        database.run(
          'INSERT OR REPLACE INTO pulled_index_files VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
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
        database.run(
          'UPDATE pulled_index_files SET checked_at = ? WHERE upstream = ? AND lower_case_name = ?',
          checkedAtMs,
          upstream,
          lowerCaseName,
        ),
      );
    },
    async findPulledArchive(checksum) {
      return findArchive(checksum);
    },
    async savePulledArchive(archive) {
      return await database.write(() => {
        database.run(
          'INSERT INTO pulled_archives VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
          archive.checksum,
          archive.size,
          archive.blobKey,
          archive.pulledAtMs,
        );
        return findArchive(archive.checksum) ?? archive;
      });
    },
    async forgetPulledArchive({ checksum, blobKey }) {
      await database.write(() =>
        database.run('DELETE FROM pulled_archives WHERE checksum = ? AND blob_key = ?', checksum, blobKey),
      );
    },
    async *eachPulledArchive() {
      for (let after = ''; ; ) {
        const archives = database
          .all('SELECT * FROM pulled_archives WHERE checksum > ? ORDER BY checksum LIMIT ?', after, PART)
          .map(asArchive);
        yield* archives;
        const last = archives.at(-1);
        if (last === undefined) return;
        after = last.checksum;
      }
    },
    async isOwnName(name) {
      const sql = `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM crates WHERE canonical_name = ?1) OR ${IS_SET_ASIDE}`;
      return database.get(sql, canonicalName(name)) !== null;
    },
    async isSetAside(name) {
      return database.get(`SELECT 1 AS found WHERE ${IS_SET_ASIDE}`, canonicalName(name)) !== null;
    },
    async listOwnNames() {
      return database.all('SELECT * FROM own_names ORDER BY pattern').map(asOwnName);
    },
    async addOwnName(change) {
      return await database.write(() => {
        if (!setNameAside(database, change)) return false;
        audit(database, 'add-own-name', change);
        return true;
      });
    },
    async removeOwnName(change) {
      return await database.write(() => {
        const sql = 'DELETE FROM own_names WHERE pattern = ?';
        if (database.run(sql, canonicalName(change.pattern)).changes === 0) return false;
        audit(database, 'remove-own-name', change);
        return true;
      });
    },
  };
}

/** False if it was set aside before. */
export function setNameAside(database: SqliteDatabase, { pattern, reason, atMs }: OwnNameChange): boolean {
  const sql = 'INSERT INTO own_names VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
  return database.run(sql, canonicalName(pattern), reason, atMs).changes > 0;
}

function audit(
  database: SqliteDatabase,
  action: 'add-own-name' | 'remove-own-name',
  { pattern, reason, atMs }: OwnNameChange,
): void {
  insertAudit(database, {
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
