import { canonicalName } from '../store/canonical-name.ts';
import type { Crate, DeleteOutcome } from '../store/values.ts';
import { insertAudit } from './audit-records.ts';
import { lockCrate, refreshCrate } from './crate-rows.ts';
import { integer, text, total } from './row.ts';
import { all, change, changeEach, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';
import { reserveName } from './reserved-name-records.ts';
import type { Deletion, PublishRecords } from '../store/publish-records.ts';

/** The reason of the reserved name. */
const DELETED_HERE = 'a crate of this name was deleted here';

const NO_CRATE: DeleteOutcome = { kind: 'no-crate' };

/** Implements the record methods for permanent deletion. */
export function deleteRecords(database: SqlDatabase): Pick<PublishRecords, 'deleteVersion' | 'deleteCrate'> {
  return {
    async deleteVersion(deletion) {
      return await database.write(function* () {
        const crate = yield* lockCrate(deletion.crate);
        return crate === null ? NO_CRATE : yield* deleteVersion(deletion, crate);
      });
    },
    async deleteCrate(deletion) {
      return await database.write(function* () {
        const crate = yield* lockCrate(deletion.crate);
        return crate === null ? NO_CRATE : yield* deleteCrate(deletion, crate);
      });
    },
  };
}

/** Deletes a version of a locked crate; with its last version, also the crate. */
function* deleteVersion(
  deletion: Deletion & { readonly version: string },
  crate: Crate,
): Work<DeleteOutcome> {
  const { version, atMs } = deletion;
  const row = yield* one(
    'SELECT id, version_without_build, blob_key, downloads FROM versions WHERE crate_id = ? AND version = ?',
    crate.id,
    version,
  );
  if (row === null) return { kind: 'no-version' };
  const sql = 'SELECT count(*) AS total FROM versions WHERE crate_id = ?';
  // A crate must have a version, so the last one takes the crate with it.
  if (total(yield* one(sql, crate.id)) === 1) return yield* deleteCrate(deletion, crate);
  if (!deletion.mayReuseVersions) yield* forbidReuse(crate, [row]);
  const versionId = integer(row, 'id');
  const documentation = yield* all('SELECT blob_key FROM documentation WHERE version_id = ?', versionId);
  yield* change('DELETE FROM versions WHERE id = ?', versionId);
  yield* change(
    'UPDATE crates SET downloads = downloads - ? WHERE id = ?',
    integer(row, 'downloads'),
    crate.id,
  );
  yield* refreshCrate(crate, atMs);
  yield* auditDeletion(deletion, { crate, version });
  return { kind: 'deleted', crate: crate.name, blobKeys: [row, ...documentation].map(blobKeyOf) };
}

/** Deletes a locked crate with all versions. Notes its former owners, and reserves its name. */
function* deleteCrate(deletion: Deletion, crate: Crate): Work<DeleteOutcome> {
  const name = canonicalName(crate.name);
  const versions = yield* all(
    'SELECT version, version_without_build, blob_key FROM versions WHERE crate_id = ? ORDER BY id',
    crate.id,
  );
  const documentation = yield* all(
    `SELECT documentation.blob_key FROM documentation JOIN versions ON versions.id = documentation.version_id
     WHERE versions.crate_id = ?`,
    crate.id,
  );
  if (!deletion.mayReuseVersions) yield* forbidReuse(crate, versions);
  yield* change(
    `INSERT INTO deleted_names VALUES (?, ?)
     ON CONFLICT (canonical_name) DO UPDATE SET reserved_until = excluded.reserved_until`,
    name,
    deletion.nameReservedUntilMs,
  );
  yield* change(
    `INSERT INTO former_owners SELECT ?, user_id FROM owners WHERE crate_id = ? ON CONFLICT DO NOTHING`,
    name,
    crate.id,
  );
  // Users of the crate must not get another crate of that name from the upstream.
  yield* reserveName({ pattern: name, reason: DELETED_HERE, atMs: deletion.atMs });
  yield* change('DELETE FROM crate_search WHERE rowid = ?', crate.id);
  yield* change('DELETE FROM crates WHERE id = ?', crate.id);
  for (const row of versions) yield* auditDeletion(deletion, { crate, version: text(row, 'version') });
  yield* auditDeletion(deletion, { crate, version: null });
  return { kind: 'deleted', crate: crate.name, blobKeys: [...versions, ...documentation].map(blobKeyOf) };
}

function blobKeyOf(row: SqlRow): string {
  return text(row, 'blob_key');
}

/** Notes that these versions must never be published again. */
function* forbidReuse(crate: Crate, versions: readonly SqlRow[]): Work<void> {
  const name = canonicalName(crate.name);
  yield* changeEach(
    'INSERT INTO deleted_versions VALUES (?, ?) ON CONFLICT DO NOTHING',
    versions.map((row) => [name, text(row, 'version_without_build')]),
  );
}

function* auditDeletion(
  { actor, reason, atMs }: Deletion,
  { crate, version }: { readonly crate: Crate; readonly version: string | null },
): Work<void> {
  yield* insertAudit({
    atMs,
    actor: actor?.user.login ?? null,
    tokenId: actor?.token?.id ?? null,
    action: version === null ? 'delete-crate' : 'delete-version',
    crate: crate.name,
    version,
    detail: reason,
  });
}
