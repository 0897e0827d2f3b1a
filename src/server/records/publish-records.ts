import { encodePublishMetadata, type PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { withoutBuild } from '../shared/version-text.ts';
import { canonicalName } from '../store/canonical-name.ts';
import { MAX_INDEX_FILE_BYTES } from '../store/index-limits.ts';
import type { Crate, Publication, PublishOutcome, YankOutcome } from '../store/values.ts';
import { isInScope } from '../auth/tokens.ts';
import { insertAudit } from './audit-records.ts';
import { lockCrate, mayPublish, refreshCrate } from './crate-rows.ts';
import { integer, text } from './row.ts';
import { change, changeEach, insert, one, type SqlDatabase, type Work } from './sql-work.ts';
import type { PublishRecords } from '../store/publish-records.ts';

/** Implements the record methods for publishing and yanking. */
export function publishRecords(database: SqlDatabase): Pick<PublishRecords, 'publishVersion' | 'setYanked'> {
  return {
    async publishVersion(publication) {
      return await database.write(function* (): Work<PublishOutcome> {
        const crate = yield* lockCrate(publication.metadata.name);
        const refusal =
          crate === null ? yield* refuseNew(publication) : yield* refuseUpdate(publication, crate);
        if (refusal !== null) return refusal;
        if (publication.isStored) yield* insertVersion(publication, crate);
        return { kind: 'published', isNewCrate: crate === null };
      });
    },
    async setYanked({ crate: name, version, isYanked, reason, atMs, actor }) {
      return await database.write(function* (): Work<YankOutcome> {
        const crate = yield* lockCrate(name);
        if (crate === null) return { kind: 'no-crate' };
        if (!(yield* mayPublish(crate, actor.user))) return { kind: 'not-owner' };
        const row = yield* one(
          'SELECT id, is_yanked FROM versions WHERE crate_id = ? AND version = ?',
          crate.id,
          version,
        );
        if (row === null) return { kind: 'no-version', crate: crate.name };
        if ((integer(row, 'is_yanked') !== 0) === isYanked) return { kind: 'unchanged', crate: crate.name };
        yield* change(
          'UPDATE versions SET is_yanked = ?, yank_reason = ? WHERE id = ?',
          Number(isYanked),
          isYanked ? reason : null,
          integer(row, 'id'),
        );
        yield* refreshCrate(crate, atMs);
        yield* insertAudit({
          atMs,
          actor: actor.user.login,
          tokenId: actor.token?.id ?? null,
          action: isYanked ? 'yank' : 'unyank',
          crate: crate.name,
          version,
          detail: reason,
        });
        return { kind: 'changed', crate: crate.name };
      });
    },
  };
}

/** Returns the reason why a crate may not be created; null if it may. */
function* refuseNew({ metadata, actor, atMs }: Publication): Work<PublishOutcome | null> {
  if (!isInScope(actor, 'publish-new', metadata.name)) return { kind: 'out-of-scope', scope: 'publish-new' };
  const name = canonicalName(metadata.name);
  const reserved = yield* one('SELECT reserved_until FROM deleted_names WHERE canonical_name = ?', name);
  if (reserved !== null && !actor.user.isAdmin) {
    const untilMs = integer(reserved, 'reserved_until');
    const sql = 'SELECT 1 AS found FROM former_owners WHERE canonical_name = ? AND user_id = ?';
    if (atMs < untilMs && (yield* one(sql, name, actor.user.id)) === null)
      return { kind: 'name-reserved', untilMs };
  }
  return yield* refuseDeleted(metadata);
}

/** Returns the reason why a version may not be added to a crate; null if it may. */
function* refuseUpdate(
  { metadata, actor, indexLine }: Publication,
  crate: Crate,
): Work<PublishOutcome | null> {
  if (!isInScope(actor, 'publish-update', crate.name))
    return { kind: 'out-of-scope', scope: 'publish-update' };
  if (!(yield* mayPublish(crate, actor.user))) return { kind: 'not-owner' };
  if (crate.isTrustedOnly && (actor.token?.issuer ?? null) === null) return { kind: 'trusted-only' };
  if (crate.name !== metadata.name) return { kind: 'other-spelling', existing: crate.name };
  const duplicate = yield* one(
    'SELECT version FROM versions WHERE crate_id = ? AND version_without_build = ?',
    crate.id,
    withoutBuild(metadata.version),
  );
  if (duplicate !== null) return { kind: 'duplicate', existing: text(duplicate, 'version') };
  return (yield* refuseDeleted(metadata)) ?? (yield* refuseLargeIndex(indexLine, crate));
}

/** Returns the refusal if the version was deleted and must not be reused; otherwise null. */
function* refuseDeleted({ name, version }: Publication['metadata']): Work<PublishOutcome | null> {
  const sql =
    'SELECT 1 AS found FROM deleted_versions WHERE canonical_name = ? AND version_without_build = ?';
  const isDeleted = (yield* one(sql, canonicalName(name), withoutBuild(version))) !== null;
  return isDeleted ? { kind: 'version-deleted' } : null;
}

/** Returns the refusal if the index file would exceed `MAX_INDEX_FILE_BYTES` with this line; otherwise null. */
function* refuseLargeIndex(indexLine: string, crate: Crate): Work<PublishOutcome | null> {
  const row = yield* one('SELECT octet_length(body) AS size FROM index_files WHERE crate_id = ?', crate.id);
  const bytes = row === null ? 0 : integer(row, 'size');
  // 1 for the line end.
  return bytes + Buffer.byteLength(indexLine) + 1 > MAX_INDEX_FILE_BYTES
    ? { kind: 'index-full', bytes }
    : null;
}

/** Inserts a version, and the crate if it is null, and updates the data that is derived from them. */
function* insertVersion(publication: Publication, crate: Crate | null): Work<void> {
  const { metadata, actor, atMs } = publication;
  const crateId = crate?.id ?? (yield* insertCrate(publication));
  const versionId = yield* insert(
    `INSERT INTO versions (crate_id, version, version_without_build, checksum, size, blob_key, index_line, is_yanked,
     downloads, published_at, published_by, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?)`,
    crateId,
    metadata.version,
    withoutBuild(metadata.version),
    publication.checksum,
    publication.size,
    publication.blobKey,
    publication.indexLine,
    atMs,
    actor.user.id,
    encodePublishMetadata({ ...metadata, readme: null }),
  );
  if (metadata.readme !== null)
    yield* change('INSERT INTO readmes (version_id, text) VALUES (?, ?)', versionId, metadata.readme);
  yield* insertDependencies(versionId, metadata.dependencies);
  yield* refreshCrate({ id: crateId, name: metadata.name }, atMs);
  yield* insertAudit({
    atMs,
    actor: actor.user.login,
    tokenId: actor.token?.id ?? null,
    action: 'publish',
    crate: metadata.name,
    version: metadata.version,
    detail: `sha256:${publication.checksum}`,
  });
}

/** Inserts the dependencies of a version on crates of the same registry. */
function* insertDependencies(versionId: number, dependencies: PublishMetadata['dependencies']): Work<void> {
  yield* changeEach(
    'INSERT INTO dependencies (version_id, canonical_name, version_req, kind, is_optional) VALUES (?, ?, ?, ?, ?)',
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

/** Creates a crate, whose owner is the actor, and returns its ID. Forgets a deleted crate of this name. */
function* insertCrate({ metadata, actor, atMs }: Publication): Work<number> {
  const crateId = yield* insert(
    `INSERT INTO crates (name, canonical_name, max_version, keywords, downloads, created_at, updated_at)
     VALUES (?, ?, ?, '[]', 0, ?, ?)`,
    metadata.name,
    canonicalName(metadata.name),
    metadata.version,
    atMs,
    atMs,
  );
  yield* change(
    'INSERT INTO owners (crate_id, user_id, added_at) VALUES (?, ?, ?)',
    crateId,
    actor.user.id,
    atMs,
  );
  const name = canonicalName(metadata.name);
  yield* change('DELETE FROM deleted_names WHERE canonical_name = ?', name);
  yield* change('DELETE FROM former_owners WHERE canonical_name = ?', name);
  return crateId;
}
