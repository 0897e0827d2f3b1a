import { present } from '../../core/errors/assert.ts';
import { compareVersions } from '../../core/version/compare-versions.ts';
import { parseVersion } from '../../core/version/version.ts';
import { canonicalName } from '../store/canonical-name.ts';
import type { Version } from '../store/values.ts';
import {
  asCrate,
  asDownloadable,
  asVersion,
  CRATE_COLUMNS,
  findCrate,
  SELECT_DOWNLOADABLES,
  SELECT_VERSIONS,
} from './crate-rows.ts';
import { integer, placeholders, text, total } from './row.ts';
import { all, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';
import type { CrateLookups, IndexFileRecords, StoredVersion } from '../store/crate-records.ts';

/** Batch size of `eachVersion`. */
const BATCH_SIZE = 1000;

/** The versions after the given one. */
const NEXT_VERSIONS = `SELECT versions.crate_id, versions.version_without_build, crates.name AS crate,
  versions.version, versions.checksum, versions.size, versions.blob_key
  FROM versions JOIN crates ON crates.id = versions.crate_id
  WHERE (versions.crate_id, versions.version_without_build) > (?, ?)
  ORDER BY versions.crate_id, versions.version_without_build LIMIT ${BATCH_SIZE}`;

/** PostgreSQL would count row by row, so its counts are stored in `totals`. */
const COUNT = {
  sqlite: `SELECT (SELECT count(*) FROM crates) AS crates, (SELECT count(*) FROM versions) AS versions,
    (SELECT coalesce(sum(downloads), 0) FROM crates) AS downloads, (SELECT count(*) FROM users) AS users`,
  postgres: `SELECT CAST(coalesce(sum(crates), 0) AS BIGINT) AS crates,
    CAST(coalesce(sum(versions), 0) AS BIGINT) AS versions,
    CAST(coalesce(sum(downloads), 0) AS BIGINT) AS downloads, (SELECT count(*) FROM users) AS users FROM totals`,
};

/** Implements the record methods that read index files. */
export function indexFileRecords(database: SqlDatabase): IndexFileRecords {
  return {
    async findIndexFile(lowerCaseName) {
      const sql = 'SELECT body, etag, changed_at FROM index_files WHERE lower_case_name = ?';
      const row = await database.read(() => one(sql, lowerCaseName));
      if (row === null) return null;
      return { body: text(row, 'body'), etag: text(row, 'etag'), changedAtMs: integer(row, 'changed_at') };
    },
    async findIndexState(lowerCaseName) {
      const sql = `SELECT etag, changed_at, octet_length(body) AS size FROM index_files
        WHERE lower_case_name = ?`;
      const row = await database.read(() => one(sql, lowerCaseName));
      if (row === null) return null;
      return { etag: text(row, 'etag'), changedAtMs: integer(row, 'changed_at'), size: integer(row, 'size') };
    },
  };
}

const OF_CRATE_AND_VERSION = ' WHERE crates.canonical_name = ? AND versions.version = ?';

/** Implements the record methods that read crates and versions. */
export function crateRecords(database: SqlDatabase): CrateLookups {
  return {
    async findCrate(name) {
      return await database.read(() => findCrate(name));
    },
    async findVersion(crate, version) {
      const sql = SELECT_VERSIONS + OF_CRATE_AND_VERSION;
      const row = await database.read(() => one(sql, canonicalName(crate), version));
      return row === null ? null : asVersion(row);
    },
    async findDownloadable(crate, version) {
      const sql = SELECT_DOWNLOADABLES + OF_CRATE_AND_VERSION;
      const row = await database.read(() => one(sql, canonicalName(crate), version));
      return row === null ? null : asDownloadable(row);
    },
    async listVersions(crate, { limit, offset, order = 'number', isWithoutYanked = false }) {
      const from = `FROM versions JOIN crates ON crates.id = versions.crate_id
        WHERE crates.canonical_name = ? ${isWithoutYanked ? 'AND versions.is_yanked = 0' : ''}`;
      const name = canonicalName(crate);
      if (limit === 0) {
        const row = await database.read(() => one(`SELECT count(*) AS total ${from}`, name));
        return { items: [], total: total(row) };
      }
      return await database.readMoment(function* () {
        // SQL cannot sort versions. Only those of the page are read completely.
        const sorted = (yield* all(`SELECT versions.id, versions.version ${from}`, name))
          .map((row) => ({ id: integer(row, 'id'), version: parseVersion(text(row, 'version')) }))
          .sort((a, b) => (order === 'number' ? compareVersions(b.version, a.version) : b.id - a.id));
        const ids = sorted.slice(offset, offset + limit).map(({ id }) => id);
        return { items: yield* versionsById(ids), total: sorted.length };
      });
    },
    async listNewVersions(limit) {
      // By number, which follows the order of publication and has an index.
      const sql = `${SELECT_VERSIONS} WHERE versions.is_yanked = 0 ORDER BY versions.id DESC LIMIT ?`;
      return (await database.read(() => all(sql, limit))).map(asVersion);
    },
    async findReadme(crate, version) {
      const sql = `SELECT readmes.text FROM readmes JOIN versions ON versions.id = readmes.version_id
        JOIN crates ON crates.id = versions.crate_id WHERE crates.canonical_name = ? AND versions.version = ?`;
      const row = await database.read(() => one(sql, canonicalName(crate), version));
      return row === null ? null : text(row, 'text');
    },
    async listRecentCrates(limit) {
      const sql = `SELECT ${CRATE_COLUMNS} FROM crates ORDER BY updated_at DESC, id DESC LIMIT ?`;
      return (await database.read(() => all(sql, limit))).map(asCrate);
    },
    async count() {
      const row = present(await database.read(() => one(COUNT)), 'the row of the counts');
      return {
        crates: integer(row, 'crates'),
        versions: integer(row, 'versions'),
        downloads: integer(row, 'downloads'),
        users: integer(row, 'users'),
      };
    },
    async *eachVersion() {
      let previous: readonly [crateId: number, versionWithoutBuild: string] = [0, ''];
      for (;;) {
        const after = previous;
        const rows = await database.read(() => all(NEXT_VERSIONS, ...after));
        yield* rows.map(asStoredVersion);
        const last = rows.at(-1);
        if (last === undefined) return;
        previous = [integer(last, 'crate_id'), text(last, 'version_without_build')];
      }
    },
  };
}

/** Returns the versions in the order of `ids`. */
function* versionsById(ids: readonly number[]): Work<readonly Version[]> {
  if (ids.length === 0) return [];
  const sql = `${SELECT_VERSIONS} WHERE versions.id IN (${placeholders(ids)})`;
  const versions = new Map((yield* all(sql, ...ids)).map((row) => [integer(row, 'id'), asVersion(row)]));
  return ids.flatMap((id) => versions.get(id) ?? []);
}

/** Returns the version in a row with the columns of its blob. */
export function asStoredVersion(row: SqlRow): StoredVersion {
  return {
    crate: text(row, 'crate'),
    version: text(row, 'version'),
    checksum: text(row, 'checksum'),
    size: integer(row, 'size'),
    blobKey: text(row, 'blob_key'),
  };
}
