import type { PublishMetadata } from '../../protocol/publish-metadata.ts';
import { compareVersions } from '../../version/compare-versions.ts';
import { parseVersion } from '../../version/version.ts';
import { canonicalName } from '../canonical-name.ts';
import type { Records, StoredVersion } from '../store.ts';
import type { Dependent } from '../store-values.ts';
import { asCrate, asVersion, CRATE_COLUMNS, findCrate, SELECT_VERSIONS } from './crate-rows.ts';
import { flag, integer, text, total } from './row.ts';
import type { SqliteDatabase, SqlRow } from './sqlite-database.ts';

type CrateMethods = Pick<
  Records,
  | 'findIndexFile'
  | 'findCrate'
  | 'findVersion'
  | 'listVersions'
  | 'findReadme'
  | 'listDependents'
  | 'listRecentCrates'
  | 'count'
  | 'addDownloads'
  | 'eachVersion'
>;

/** How many versions `eachVersion` reads at once. */
const PART = 1000;

/** What is asked of crates and versions. */
export function crateRecords(database: SqliteDatabase): CrateMethods {
  return {
    async findIndexFile(lowerCaseName) {
      const row = database.get(
        'SELECT body, etag, changed_at FROM index_files WHERE lower_case_name = ?',
        lowerCaseName,
      );
      if (row === null) return null;
      return { body: text(row, 'body'), etag: text(row, 'etag'), changedAtMs: integer(row, 'changed_at') };
    },
    async findCrate(name) {
      return findCrate(database, name);
    },
    async findVersion(crate, version) {
      const sql = `${SELECT_VERSIONS} WHERE crates.canonical_name = ? AND versions.version = ?`;
      const row = database.get(sql, canonicalName(crate), version);
      return row === null ? null : asVersion(row);
    },
    async listVersions(crate, { limit, offset }) {
      const from = `FROM versions JOIN crates ON crates.id = versions.crate_id WHERE crates.canonical_name = ?`;
      const name = canonicalName(crate);
      if (limit === 0) {
        return { items: [], total: total(database.get(`SELECT count(*) AS total ${from}`, name)) };
      }
      // SQLite has no order of versions; what the others say beside their number is not read.
      const sorted = database
        .all(`SELECT versions.id, versions.version ${from}`, name)
        .map((row) => ({ id: integer(row, 'id'), version: parseVersion(text(row, 'version')) }))
        .sort((a, b) => compareVersions(b.version, a.version));
      const items = sorted.slice(offset, offset + limit).flatMap(({ id }) => {
        const row = database.get(`${SELECT_VERSIONS} WHERE versions.id = ?`, id);
        return row === null ? [] : [asVersion(row)];
      });
      return { items, total: sorted.length };
    },
    async findReadme(crate, version) {
      const row = database.get(
        `SELECT readmes.text FROM readmes JOIN versions ON versions.id = readmes.version_id
         JOIN crates ON crates.id = versions.crate_id WHERE crates.canonical_name = ? AND versions.version = ?`,
        canonicalName(crate),
        version,
      );
      return row === null ? null : text(row, 'text');
    },
    async listDependents(crate, { limit, offset }) {
      const from = `FROM dependencies JOIN versions ON versions.id = dependencies.version_id
        JOIN crates ON crates.id = versions.crate_id AND crates.max_version = versions.version
        WHERE dependencies.canonical_name = ?`;
      const name = canonicalName(crate);
      // Of several entries of one version the one counts that matters most to whoever uses it.
      const rows = database.all(
        `SELECT crates.name AS crate, versions.version, dependencies.version_req, dependencies.kind,
         dependencies.is_optional, min(CASE dependencies.kind WHEN 'normal' THEN 0 WHEN 'build' THEN 1 ELSE 2 END)
         ${from} GROUP BY crates.id ORDER BY crates.downloads DESC, crates.canonical_name LIMIT ? OFFSET ?`,
        name,
        limit,
        offset,
      );
      const count = database.get(`SELECT count(DISTINCT crates.id) AS total ${from}`, name);
      return { items: rows.map(asDependent), total: total(count) };
    },
    async listRecentCrates(limit) {
      return database
        .all(`SELECT ${CRATE_COLUMNS} FROM crates ORDER BY updated_at DESC, id DESC LIMIT ?`, limit)
        .map(asCrate);
    },
    async count() {
      const row = database.get(
        `SELECT (SELECT count(*) FROM crates) AS crates, (SELECT count(*) FROM versions) AS versions,
         (SELECT coalesce(sum(downloads), 0) FROM crates) AS downloads, (SELECT count(*) FROM users) AS users`,
      );
      const number = (column: string) => (row === null ? 0 : integer(row, column));
      return {
        crates: number('crates'),
        versions: number('versions'),
        downloads: number('downloads'),
        users: number('users'),
      };
    },
    async addDownloads(counts) {
      await database.write(() => {
        for (const { crate, version, count } of counts) {
          const name = canonicalName(crate);
          const { changes } = database.run(
            `UPDATE versions SET downloads = downloads + ?
             WHERE crate_id = (SELECT id FROM crates WHERE canonical_name = ?) AND version = ?`,
            count,
            name,
            version,
          );
          if (changes === 0) continue;
          database.run('UPDATE crates SET downloads = downloads + ? WHERE canonical_name = ?', count, name);
        }
      });
    },
    async *eachVersion() {
      let after: readonly [crateId: number, versionWithoutBuild: string] = [0, ''];
      for (;;) {
        const rows = database.all(
          `SELECT versions.crate_id, versions.version_without_build, crates.name AS crate, versions.version,
           versions.checksum, versions.size, versions.blob_key
           FROM versions JOIN crates ON crates.id = versions.crate_id
           WHERE (versions.crate_id, versions.version_without_build) > (?, ?)
           ORDER BY versions.crate_id, versions.version_without_build LIMIT ${PART}`,
          ...after,
        );
        yield* rows.map(asStoredVersion);
        const last = rows.at(-1);
        if (last === undefined) return;
        after = [integer(last, 'crate_id'), text(last, 'version_without_build')];
      }
    },
  };
}

/** What a version depends on in its own registry, each once a name, kind and requirement. */
export function insertDependencies(
  database: SqliteDatabase,
  versionId: number,
  dependencies: PublishMetadata['dependencies'],
): void {
  for (const { name, versionReq, kind, optional, registry } of dependencies) {
    if (registry !== null) continue;
    database.run(
      'INSERT INTO dependencies VALUES (?, ?, ?, ?, ?)',
      versionId,
      canonicalName(name),
      versionReq,
      kind,
      Number(optional),
    );
  }
}

function asDependent(row: SqlRow): Dependent {
  const kind = text(row, 'kind');
  return {
    crate: text(row, 'crate'),
    version: text(row, 'version'),
    versionReq: text(row, 'version_req'),
    kind: kind === 'dev' || kind === 'build' ? kind : 'normal',
    isOptional: flag(row, 'is_optional'),
  };
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
