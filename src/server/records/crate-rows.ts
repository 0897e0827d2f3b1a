/** Crates and versions as rows, and the data that is derived from a crate's versions. */
import { createHash } from 'node:crypto';
import { present } from '../../core/errors/assert.ts';
import { yankedLine } from '../../core/protocol/encode-published-line.ts';
import { decodePublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { compareVersions } from '../../core/version/compare-versions.ts';
import { parseVersion } from '../../core/version/version.ts';
import { canonicalName } from '../store/canonical-name.ts';
import type { Crate, CrateRights, DownloadableVersion, User, Version } from '../store/values.ts';
import { flag, integer, optionalText, text, textList } from './row.ts';
import { wordsOf } from './search-words.ts';
import { all, change, changeEach, one, type SqlRow, type Work } from './sql-work.ts';

/** The columns of a crate that `asCrate` reads. */
export const CRATE_COLUMNS = `crates.id, crates.name, crates.max_version, crates.description, crates.keywords,
  crates.downloads, crates.created_at, crates.updated_at, crates.is_trusted_only`;

/** Returns the crate in a row with `CRATE_COLUMNS`. */
export function asCrate(row: SqlRow): Crate {
  return {
    id: integer(row, 'id'),
    name: text(row, 'name'),
    maxVersion: text(row, 'max_version'),
    description: optionalText(row, 'description'),
    keywords: textList(row, 'keywords'),
    downloads: integer(row, 'downloads'),
    createdAtMs: integer(row, 'created_at'),
    updatedAtMs: integer(row, 'updated_at'),
    isTrustedOnly: flag(row, 'is_trusted_only'),
  };
}

/** The columns of a version and its crate that `asDownloadable` reads. */
const DOWNLOADABLE_COLUMNS = `crates.name AS crate, versions.version, versions.checksum, versions.size,
  versions.blob_key, versions.published_at`;

/** Selects versions for `asDownloadable`. The caller appends a condition. */
export const SELECT_DOWNLOADABLES = `SELECT ${DOWNLOADABLE_COLUMNS}
  FROM versions JOIN crates ON crates.id = versions.crate_id`;

/** Returns what a download needs to know of the version in a row. */
export function asDownloadable(row: SqlRow): DownloadableVersion {
  return {
    crate: text(row, 'crate'),
    version: text(row, 'version'),
    checksum: text(row, 'checksum'),
    size: integer(row, 'size'),
    blobKey: text(row, 'blob_key'),
    publishedAtMs: integer(row, 'published_at'),
  };
}

/** Selects versions for `asVersion`. The caller appends a condition. */
export const SELECT_VERSIONS = `SELECT versions.id, ${DOWNLOADABLE_COLUMNS}, versions.is_yanked,
  versions.yank_reason, versions.downloads,
  users.login AS published_by, users.id AS publisher_id, users.name AS publisher_name, versions.metadata
  FROM versions JOIN crates ON crates.id = versions.crate_id JOIN users ON users.id = versions.published_by`;

/** Returns the version in a row of `SELECT_VERSIONS`. */
export function asVersion(row: SqlRow): Version {
  return {
    ...asDownloadable(row),
    id: integer(row, 'id'),
    isYanked: flag(row, 'is_yanked'),
    yankReason: optionalText(row, 'yank_reason'),
    downloads: integer(row, 'downloads'),
    publishedBy: text(row, 'published_by'),
    publisherId: integer(row, 'publisher_id'),
    publisherName: optionalText(row, 'publisher_name'),
    metadata: decodePublishMetadata(Buffer.from(text(row, 'metadata'))),
  };
}

const SELECT_CRATE = `SELECT ${CRATE_COLUMNS} FROM crates WHERE canonical_name = ?`;

/** Returns the crate with this name in any spelling, or null. */
export function* findCrate(name: string): Work<Crate | null> {
  const row = yield* one(SELECT_CRATE, canonicalName(name));
  return row === null ? null : asCrate(row);
}

/**
 * Returns the same as `findCrate`, and locks the name until the end of the transaction, to change or create the crate.
 * Must be the first statement of a `Work`, which may lock only one crate: otherwise transactions could deadlock.
 */
export function* lockCrate(name: string): Work<Crate | null> {
  const key = canonicalName(name);
  // A crate that does not exist yet has no row to lock.
  const lock = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.' || ?, 0))";
  yield* all({ sqlite: null, postgres: lock }, key);
  const row = yield* one({ sqlite: SELECT_CRATE, postgres: `${SELECT_CRATE} FOR UPDATE` }, key);
  return row === null ? null : asCrate(row);
}

/** A user whose rights are checked. */
type RightsHolder = Pick<User, 'id' | 'isAdmin'>;

/** Returns true for owners of the crate and for admins. */
export function* mayChange(crate: Crate, user: RightsHolder): Work<boolean> {
  if (user.isAdmin) return true;
  const sql = 'SELECT 1 AS found FROM owners WHERE crate_id = ? AND user_id = ?';
  return (yield* one(sql, crate.id, user.id)) !== null;
}

const SELECT_MEMBERSHIPS = `SELECT team_members.team_id FROM team_members
  JOIN team_owners ON team_owners.team_id = team_members.team_id
  WHERE team_owners.crate_id = ? AND team_members.user_id = ?`;

/**
 * Returns true for those who `mayChange` the crate, and for members of teams that own it. Locks the membership until the
 * end of the transaction, so that its removal waits.
 */
export function* mayPublish(crate: Crate, user: RightsHolder): Work<boolean> {
  if (yield* mayChange(crate, user)) return true;
  const sql = { sqlite: SELECT_MEMBERSHIPS, postgres: `${SELECT_MEMBERSHIPS} FOR SHARE OF team_members` };
  return (yield* one(sql, crate.id, user.id)) !== null;
}

/** Returns what the user may do with the crate. Locks nothing: a change must check its right itself. */
export function* rightsTo(crate: Crate, user: RightsHolder): Work<CrateRights> {
  if (yield* mayChange(crate, user)) return 'all';
  return (yield* one(SELECT_MEMBERSHIPS, crate.id, user.id)) === null ? 'none' : 'versions';
}

/**
 * Updates the data that is derived from a crate's versions: its index file, highest version, description, keywords and
 * search words. Unyanked versions are preferred. The crate must have a version.
 */
export function* refreshCrate({ id: crateId, name }: Pick<Crate, 'id' | 'name'>, atMs: number): Work<void> {
  yield* writeIndexFile(crateId, atMs);
  const rows = yield* all('SELECT id, version, is_yanked FROM versions WHERE crate_id = ?', crateId);
  const versions = rows.map((row) => ({
    id: integer(row, 'id'),
    version: parseVersion(text(row, 'version')),
    isYanked: flag(row, 'is_yanked'),
  }));
  const candidates = versions.some(({ isYanked }) => !isYanked)
    ? versions.filter(({ isYanked }) => !isYanked)
    : versions;
  const highest = candidates.reduce((a, b) => (compareVersions(a.version, b.version) < 0 ? b : a));
  const shown = yield* one('SELECT metadata FROM versions WHERE id = ?', highest.id);
  const metadata = text(present(shown, 'the highest version of a crate'), 'metadata');
  const { description, keywords } = decodePublishMetadata(Buffer.from(metadata));
  yield* change(
    `UPDATE crates SET max_version = ?1, description = ?2, keywords = ?3,
     updated_at = CASE WHEN updated_at < ?4 THEN ?4 ELSE updated_at END WHERE id = ?5`,
    highest.version.text,
    description,
    JSON.stringify(keywords),
    atMs,
    crateId,
  );
  yield* refreshSearch({ id: crateId, name, description, keywords });
}

/** The parts of a crate that searches use. */
type SearchableCrate = Pick<Crate, 'name' | 'description' | 'keywords'>;

/** Updates the search words of a crate. In PostgreSQL, a trigger extracts the words from the texts. */
export function* refreshSearch(crate: SearchableCrate & Pick<Crate, 'id'>): Work<void> {
  const { name, texts, everything } = searchTexts(crate);
  const replace = `INSERT INTO crate_search (rowid, name, everything) VALUES (?, ?, ?)
    ON CONFLICT (rowid) DO UPDATE SET name = excluded.name, everything = excluded.everything
    WHERE crate_search.everything <> excluded.everything`;
  if ((yield* change(replace, crate.id, name, everything)) === 0) return;
  yield* change({ sqlite: 'DELETE FROM search_words WHERE crate_id = ?', postgres: null }, crate.id);
  const add = `INSERT INTO search_words (crate_id, word, is_in_name, tier)
    SELECT rowid, ?, ?, tier FROM crate_search WHERE rowid = ?`;
  yield* changeEach(
    { sqlite: add, postgres: null },
    wordsOf(name, texts).map(({ word, isInName }) => [word, Number(isInName), crate.id]),
  );
}

/** Returns the searchable texts of a crate in lower case: its name, the other texts, and all of them in lines. */
export function searchTexts(crate: SearchableCrate): {
  readonly name: string;
  readonly texts: string;
  readonly everything: string;
} {
  const name = canonicalName(crate.name);
  const texts = `${JSON.stringify(crate.keywords)}\n${crate.description ?? ''}`.toLowerCase();
  return { name, texts, everything: `${name}\n${texts}` };
}

/** Writes the index file from the lines of all versions, with the current yanks. */
function* writeIndexFile(crateId: number, atMs: number): Work<void> {
  const rows = yield* all(
    'SELECT index_line, is_yanked FROM versions WHERE crate_id = ? ORDER BY id',
    crateId,
  );
  const lines = rows.map((row) => {
    const line = text(row, 'index_line');
    return `${flag(row, 'is_yanked') ? yankedLine(line) : line}\n`;
  });
  const body = lines.join('');
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  // Each state has another second, because `Last-Modified` identifies it. A slow publish can begin before the last change.
  yield* change(
    `INSERT INTO index_files (crate_id, lower_case_name, body, etag, changed_at)
     SELECT id, lower(name), ?, ?, CAST(? AS BIGINT) FROM crates WHERE id = ?
     ON CONFLICT (crate_id) DO UPDATE SET body = excluded.body, etag = excluded.etag,
     changed_at = CASE WHEN excluded.changed_at < index_files.changed_at + 1000
       THEN index_files.changed_at + 1000 ELSE excluded.changed_at END`,
    body,
    etag,
    atMs,
    crateId,
  );
}
