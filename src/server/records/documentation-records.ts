import { compareVersions } from '../../core/version/compare-versions.ts';
import { parseVersion } from '../../core/version/version.ts';
import { canonicalName } from '../store/canonical-name.ts';
import type {
  Documentation,
  DocumentationChange,
  DocumentationOutcome,
  DocumentationRecords,
  DocumentationRefusal,
  DocumentationRemovalOutcome,
  DocumentationUpload,
  DocumentationBlob,
} from '../store/documentation-records.ts';
import type { AuditAction } from '../store/values.ts';
import { insertAudit } from './audit-records.ts';
import { asStoredVersion } from './crate-records.ts';
import { lockCrate, mayPublish } from './crate-rows.ts';
import { flag, integer, text } from './row.ts';
import { all, change, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';

/** Batch size of `eachDocumentation`. */
const BATCH_SIZE = 1000;

const SELECT_DOCUMENTATION = `SELECT documentation.version_id, documentation.checksum, documentation.size,
  documentation.index_size, documentation.blob_key, documentation.uploaded_at, versions.version, versions.is_yanked,
  crates.name AS crate
  FROM documentation JOIN versions ON versions.id = documentation.version_id
  JOIN crates ON crates.id = versions.crate_id`;

/** A version of a locked crate whose documentation the actor may change. */
interface ChangedVersion {
  readonly crate: string;
  readonly versionId: number;
  readonly isTrustedOnly: boolean;
  /** The key of the stored documentation; null for none. */
  readonly blobKey: string | null;
}

/** Implements the record methods for documentation. */
export function documentationRecords(database: SqlDatabase): DocumentationRecords {
  return {
    async findDocumentation(crate, version) {
      const sql = `${SELECT_DOCUMENTATION} WHERE crates.canonical_name = ? AND versions.version = ?`;
      const row = await database.read(() => one(sql, canonicalName(crate), version));
      return row === null ? null : asDocumentation(row);
    },
    async listDocumentation(crate) {
      const sql = `${SELECT_DOCUMENTATION} WHERE crates.canonical_name = ?`;
      const rows = await database.read(() => all(sql, canonicalName(crate)));
      return rows
        .map((row) => ({
          documentation: asDocumentation(row),
          version: parseVersion(text(row, 'version')),
          isYanked: flag(row, 'is_yanked'),
        }))
        .sort((a, b) => Number(a.isYanked) - Number(b.isYanked) || compareVersions(b.version, a.version))
        .map(({ documentation }) => documentation);
    },
    async setDocumentation(upload) {
      return await database.write(() => setDocumentation(upload));
    },
    async deleteDocumentation(removal) {
      return await database.write(() => deleteDocumentation(removal));
    },
    async *eachDocumentation() {
      const sql = `${SELECT_DOCUMENTATION} WHERE documentation.version_id > ?
        ORDER BY documentation.version_id LIMIT ${BATCH_SIZE}`;
      for (let previous = 0; ; ) {
        const after = previous;
        const rows = await database.read(() => all(sql, after));
        yield* rows.map(asStoredVersion);
        const last = rows.at(-1);
        if (last === undefined) return;
        previous = integer(last, 'version_id');
      }
    },
  };
}

function* setDocumentation(upload: DocumentationChange & DocumentationUpload): Work<DocumentationOutcome> {
  const target = yield* lockTarget(upload);
  if ('kind' in target) return target;
  const { crate, versionId, isTrustedOnly, blobKey } = target;
  const { stored, version, actor } = upload;
  if (isTrustedOnly && (actor.token?.issuer ?? null) === null) return { kind: 'trusted-only', crate };
  if (stored !== null) {
    yield* writeRow(stored, { versionId, atMs: upload.atMs });
    const detail = `sha256:${stored.checksum}`;
    yield* audit(upload, { crate, action: 'add-documentation', detail });
  }
  return { kind: 'stored', crate, version, replacedKey: stored === null ? null : blobKey };
}

function* deleteDocumentation(removal: DocumentationChange): Work<DocumentationRemovalOutcome> {
  const target = yield* lockTarget(removal);
  if ('kind' in target) return target;
  const { crate, versionId, blobKey } = target;
  if (blobKey === null) return { kind: 'no-documentation', crate };
  yield* change('DELETE FROM documentation WHERE version_id = ?', versionId);
  yield* audit(removal, { crate, action: 'remove-documentation', detail: null });
  return { kind: 'removed', crate, blobKey };
}

/** Locks the crate. Returns the version whose documentation changes, or why the actor may not change it. */
function* lockTarget({
  crate: name,
  version,
  actor,
}: DocumentationChange): Work<ChangedVersion | DocumentationRefusal> {
  const crate = yield* lockCrate(name);
  if (crate === null) return { kind: 'no-crate' };
  if (!(yield* mayPublish(crate, actor.user))) return { kind: 'not-owner' };
  const row = yield* one('SELECT id FROM versions WHERE crate_id = ? AND version = ?', crate.id, version);
  if (row === null) return { kind: 'no-version', crate: crate.name };
  const versionId = integer(row, 'id');
  const stored = yield* one('SELECT blob_key FROM documentation WHERE version_id = ?', versionId);
  return {
    crate: crate.name,
    versionId,
    isTrustedOnly: crate.isTrustedOnly,
    blobKey: stored === null ? null : text(stored, 'blob_key'),
  };
}

function* writeRow(
  { checksum, size, indexSize, blobKey }: DocumentationBlob,
  { versionId, atMs }: { readonly versionId: number; readonly atMs: number },
): Work<void> {
  yield* change(
    `INSERT INTO documentation (version_id, checksum, size, index_size, blob_key, uploaded_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (version_id) DO UPDATE SET checksum = excluded.checksum, size = excluded.size,
     index_size = excluded.index_size, blob_key = excluded.blob_key, uploaded_at = excluded.uploaded_at`,
    versionId,
    checksum,
    size,
    indexSize,
    blobKey,
    atMs,
  );
}

function* audit(
  { version, atMs, actor }: DocumentationChange,
  entry: { readonly crate: string; readonly action: AuditAction; readonly detail: string | null },
): Work<void> {
  const tokenId = actor.token?.id ?? null;
  yield* insertAudit({ ...entry, version, atMs, actor: actor.user.login, tokenId });
}

function asDocumentation(row: SqlRow): Documentation {
  return {
    ...asStoredVersion(row),
    indexSize: integer(row, 'index_size'),
    uploadedAtMs: integer(row, 'uploaded_at'),
  };
}
