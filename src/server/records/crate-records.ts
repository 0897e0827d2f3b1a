import type { PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { compareVersions } from '../../core/version/compare-versions.ts';
import { parseVersion } from '../../core/version/version.ts';
import { canonicalName } from '../store/canonical-name.ts';
import type { Version } from '../store/values.ts';
import { asCrate, asVersion, CRATE_COLUMNS, findCrate, SELECT_VERSIONS } from './crate-rows.ts';
import { integer, text, total } from './row.ts';
import { all, changeEach, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';
import type { CrateLookups, IndexFileRecords, StoredVersion } from '../store/crate-records.ts';

/** Batch size of `eachVersion`. */
const BATCH_SIZE = 1000;

const NEXT_VERSIONS = `SELECT versions.crate_id, versions.version_without_build, crates.name AS crate,
  versions.version, versions.checksum, versions.size, versions.blob_key
  FROM versions JOIN crates ON crates.id = versions.crate_id
  WHERE (versions.crate_id, versions.version_without_build) > (?, ?)
  ORDER BY versions.crate_id, versions.version_without_build LIMIT ${BATCH_SIZE}`;

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

/** Implements the record methods that read crates and versions. */
export function crateRecords(database: SqlDatabase): CrateLookups {
  return {
    async findCrate(name) {
      return await database.read(() => findCrate(name));
    },
    async findVersion(crate, version) {
      const sql = `${SELECT_VERSIONS} WHERE crates.canonical_name = ? AND versions.version = ?`;
      const row = await database.read(() => one(sql, canonicalName(crate), version));
      return row === null ? null : asVersion(row);
    },
    async listVersions(crate, { limit, offset }) {
      const from = `FROM versions JOIN crates ON crates.id = versions.crate_id WHERE crates.canonical_name = ?`;
      const name = canonicalName(crate);
      if (limit === 0) {
        const row = await database.read(() => one(`SELECT count(*) AS total ${from}`, name));
        return { items: [], total: total(row) };
      }
      return await database.readMoment(function* () {
        // SQL cannot sort versions. Only those of the page are read completely.
        const sorted = (yield* all(`SELECT versions.id, versions.version ${from}`, name))
          .map((row) => ({ id: integer(row, 'id'), version: parseVersion(text(row, 'version')) }))
          .sort((a, b) => compareVersions(b.version, a.version));
        const ids = sorted.slice(offset, offset + limit).map(({ id }) => id);
        return { items: yield* versionsById(ids), total: sorted.length };
      });
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
      const row = await database.read(() => one(COUNT));
      const number = (column: string) => (row === null ? 0 : integer(row, column));
      return {
        crates: number('crates'),
        versions: number('versions'),
        downloads: number('downloads'),
        users: number('users'),
      };
    },
    async *eachVersion() {
      let after: readonly [crateId: number, versionWithoutBuild: string] = [0, ''];
      for (;;) {
        const from = after;
        const rows = await database.read(() => all(NEXT_VERSIONS, ...from));
        yield* rows.map(asStoredVersion);
        const last = rows.at(-1);
        if (last === undefined) return;
        after = [integer(last, 'crate_id'), text(last, 'version_without_build')];
      }
    },
  };
}

/** Inserts the dependencies of a version on crates of the same registry. */
export function* insertDependencies(
  versionId: number,
  dependencies: PublishMetadata['dependencies'],
): Work<void> {
  yield* changeEach(
    'INSERT INTO dependencies VALUES (?, ?, ?, ?, ?)',
    dependencies
      .filter(({ registry }) => registry === null)
      .map(({ name, versionReq, kind, optional }) => [
        versionId,
        canonicalName(name),
        versionReq,
        kind,
        Number(optional),
      ]),
  );
}

function* versionsById(ids: readonly number[]): Work<readonly Version[]> {
  if (ids.length === 0) return [];
  const sql = `${SELECT_VERSIONS} WHERE versions.id IN (${ids.map(() => '?').join(', ')})`;
  const found = new Map((yield* all(sql, ...ids)).map((row) => [integer(row, 'id'), asVersion(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

function asStoredVersion(row: SqlRow): StoredVersion {
  return {
    crate: text(row, 'crate'),
    version: text(row, 'version'),
    checksum: text(row, 'checksum'),
    size: integer(row, 'size'),
    blobKey: text(row, 'blob_key'),
  };
}
