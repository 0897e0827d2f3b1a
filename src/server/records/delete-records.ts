import { canonicalName } from '../canonical-name.ts';
import type { Deletion, Records } from '../store.ts';
import type { Crate, DeleteOutcome } from '../store-values.ts';
import { insertAudit } from './audit-records.ts';
import { findCrate, refreshCrate } from './crate-rows.ts';
import { integer, text, total } from './row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { setNameAside } from './upstream-records.ts';

const DELETED_HERE = 'a crate of this name was deleted here';

/** Deleting for good. */
export function deleteRecords(database: SqliteDatabase): Pick<Records, 'deleteVersion' | 'deleteCrate'> {
  return {
    async deleteVersion(deletion) {
      return await database.write(() => {
        const crate = findCrate(database, deletion.crate);
        return crate === null ? { kind: 'no-crate' } : deleteVersion(database, deletion, crate);
      });
    },
    async deleteCrate(deletion) {
      return await database.write(() => {
        const crate = findCrate(database, deletion.crate);
        return crate === null ? { kind: 'no-crate' } : deleteCrate(database, deletion, crate);
      });
    },
  };
}

function deleteVersion(
  database: SqliteDatabase,
  deletion: Deletion & { readonly version: string },
  crate: Crate,
): DeleteOutcome {
  const { version, atMs } = deletion;
  const row = database.get(
    'SELECT id, version_without_build, blob_key, downloads FROM versions WHERE crate_id = ? AND version = ?',
    crate.id,
    version,
  );
  if (row === null) return { kind: 'no-version' };
  const sql = 'SELECT count(*) AS total FROM versions WHERE crate_id = ?';
  // A crate without versions is none.
  if (total(database.get(sql, crate.id)) === 1) return deleteCrate(database, deletion, crate);
  if (!deletion.mayReuseVersions) reserveVersion(database, crate, text(row, 'version_without_build'));
  database.run('DELETE FROM versions WHERE id = ?', integer(row, 'id'));
  database.run(
    'UPDATE crates SET downloads = downloads - ? WHERE id = ?',
    integer(row, 'downloads'),
    crate.id,
  );
  refreshCrate(database, crate.id, atMs);
  auditDeletion(database, deletion, { crate, version });
  return { kind: 'deleted', blobKeys: [text(row, 'blob_key')] };
}

function deleteCrate(database: SqliteDatabase, deletion: Deletion, crate: Crate): DeleteOutcome {
  const name = canonicalName(crate.name);
  const versions = database.all(
    'SELECT version, version_without_build, blob_key FROM versions WHERE crate_id = ? ORDER BY id',
    crate.id,
  );
  if (!deletion.mayReuseVersions) {
    for (const row of versions) reserveVersion(database, crate, text(row, 'version_without_build'));
  }
  database.run(
    `INSERT INTO deleted_names VALUES (?, ?)
     ON CONFLICT (canonical_name) DO UPDATE SET reserved_until = excluded.reserved_until`,
    name,
    deletion.nameReservedUntilMs,
  );
  database.run(
    `INSERT INTO former_owners SELECT ?, user_id FROM owners WHERE crate_id = ? ON CONFLICT DO NOTHING`,
    name,
    crate.id,
  );
  // Whoever used the crate must not get another one of that name from elsewhere.
  setNameAside(database, { pattern: name, reason: DELETED_HERE, atMs: deletion.atMs });
  database.run('DELETE FROM crate_search WHERE rowid = ?', crate.id);
  database.run('DELETE FROM crates WHERE id = ?', crate.id);
  for (const row of versions) auditDeletion(database, deletion, { crate, version: text(row, 'version') });
  auditDeletion(database, deletion, { crate, version: null });
  return { kind: 'deleted', blobKeys: versions.map((row) => text(row, 'blob_key')) };
}

function reserveVersion(database: SqliteDatabase, crate: Crate, versionWithoutBuild: string): void {
  database.run(
    'INSERT INTO deleted_versions VALUES (?, ?) ON CONFLICT DO NOTHING',
    canonicalName(crate.name),
    versionWithoutBuild,
  );
}

function auditDeletion(
  database: SqliteDatabase,
  { actor, reason, atMs }: Deletion,
  { crate, version }: { readonly crate: Crate; readonly version: string | null },
): void {
  insertAudit(database, {
    atMs,
    actor: actor?.user.login ?? null,
    tokenId: actor?.token?.id ?? null,
    action: version === null ? 'delete-crate' : 'delete-version',
    crate: crate.name,
    version,
    subject: null,
    detail: reason,
  });
}
