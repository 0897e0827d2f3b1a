/** The schema of the records in SQLite. */
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import { asCrate, CRATE_COLUMNS, refreshSearch } from './crate-rows.ts';
import { rankCrates } from './rank-crates.ts';
import { integer, text } from './row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { doWork } from './sqlite-work.ts';

/**
 * The steps from each schema version to the next. The schema version is the number of completed steps. Released steps
 * never change, not even in whitespace, which `requireKnownSchema` compares; new ones are appended. `POSTGRES_STEPS`
 * has the same version numbers.
 */
export const STEPS: readonly string[] = [
  // 1: users, crates, and the audit trail.
  `
  CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    login TEXT NOT NULL,
    login_key TEXT NOT NULL UNIQUE,
    name TEXT,
    is_admin INTEGER NOT NULL,
    is_disabled INTEGER NOT NULL,
    password_hash TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    prefix TEXT NOT NULL,
    scopes TEXT NOT NULL,
    crate_patterns TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
  ) STRICT;
  CREATE INDEX tokens_of_user ON tokens (user_id);
  CREATE TABLE sessions (
    id_hash TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE sign_in_failures (subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE INDEX sign_in_failures_of_subject ON sign_in_failures (subject, at);
  CREATE INDEX sign_in_failures_by_time ON sign_in_failures (at);
  CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;

  CREATE TABLE crates (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    canonical_name TEXT NOT NULL UNIQUE,
    max_version TEXT NOT NULL,
    description TEXT,
    keywords TEXT NOT NULL,
    downloads INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX crates_by_update ON crates (updated_at);
  CREATE INDEX crates_by_downloads ON crates (downloads);
  CREATE TABLE index_files (
    crate_id INTEGER PRIMARY KEY REFERENCES crates (id) ON DELETE CASCADE,
    lower_case_name TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    etag TEXT NOT NULL,
    changed_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    crate_id INTEGER NOT NULL REFERENCES crates (id) ON DELETE CASCADE,
    version TEXT NOT NULL,
    version_without_build TEXT NOT NULL,
    checksum TEXT NOT NULL,
    size INTEGER NOT NULL,
    blob_key TEXT NOT NULL,
    index_line TEXT NOT NULL,
    is_yanked INTEGER NOT NULL,
    yank_reason TEXT,
    downloads INTEGER NOT NULL,
    published_at INTEGER NOT NULL,
    published_by INTEGER NOT NULL REFERENCES users (id),
    metadata TEXT NOT NULL,
    UNIQUE (crate_id, version_without_build)
  ) STRICT;
  CREATE TABLE readmes (
    version_id INTEGER PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
    text TEXT NOT NULL
  ) STRICT;
  CREATE TABLE dependencies (
    version_id INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
    canonical_name TEXT NOT NULL,
    version_req TEXT NOT NULL,
    kind TEXT NOT NULL,
    is_optional INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX dependencies_of_version ON dependencies (version_id);
  CREATE INDEX dependencies_by_name ON dependencies (canonical_name);
  CREATE TABLE owners (
    crate_id INTEGER NOT NULL REFERENCES crates (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id),
    added_at INTEGER NOT NULL,
    PRIMARY KEY (crate_id, user_id)
  ) STRICT;
  CREATE INDEX owners_by_user ON owners (user_id);
  CREATE TABLE deleted_names (
    canonical_name TEXT PRIMARY KEY,
    reserved_until INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE former_owners (
    canonical_name TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id),
    PRIMARY KEY (canonical_name, user_id)
  ) STRICT;
  CREATE TABLE deleted_versions (
    canonical_name TEXT NOT NULL,
    version_without_build TEXT NOT NULL,
    PRIMARY KEY (canonical_name, version_without_build)
  ) STRICT;
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor TEXT,
    token_id INTEGER,
    action TEXT NOT NULL,
    crate TEXT,
    version TEXT,
    subject TEXT,
    detail TEXT
  ) STRICT;
  CREATE INDEX audit_of_crate ON audit (crate, id);
  CREATE INDEX audit_of_actor ON audit (actor, id);

  CREATE VIRTUAL TABLE crate_search USING fts5 (name, keywords, description, tokenize = 'trigram');
  `,
  // 2: trusted publishing.
  `
  ALTER TABLE tokens ADD COLUMN issuer TEXT;
  CREATE INDEX tokens_by_issuer ON tokens (issuer, expires_at) WHERE issuer IS NOT NULL;
  CREATE TABLE publishers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    issuer TEXT NOT NULL,
    claims TEXT NOT NULL,
    crate_patterns TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id),
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX publishers_of_issuer ON publishers (issuer);
  CREATE TABLE used_assertions (key TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT;
  CREATE INDEX used_assertions_by_time ON used_assertions (expires_at);
  `,
  // 3: reserved names, and the cache of upstreams.
  `
  CREATE TABLE own_names (pattern TEXT PRIMARY KEY, reason TEXT, added_at INTEGER NOT NULL) STRICT;
  INSERT INTO own_names SELECT canonical_name, 'a crate of this name was deleted here', 0 FROM deleted_names;
  CREATE TABLE pulled_index_files (
    upstream TEXT NOT NULL,
    lower_case_name TEXT NOT NULL,
    body TEXT,
    etag TEXT NOT NULL,
    upstream_etag TEXT,
    upstream_modified TEXT,
    changed_at INTEGER NOT NULL,
    checked_at INTEGER NOT NULL,
    PRIMARY KEY (upstream, lower_case_name)
  ) STRICT;
  CREATE TABLE pulled_archives (
    checksum TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    blob_key TEXT NOT NULL,
    pulled_at INTEGER NOT NULL
  ) STRICT;
  `,
  // 4: outdated static files.
  `
  CREATE TABLE static_changes (
    lower_case_name TEXT PRIMARY KEY,
    crate TEXT NOT NULL,
    generation INTEGER NOT NULL,
    written INTEGER NOT NULL DEFAULT 0,
    holder TEXT,
    held_until INTEGER
  ) STRICT;
  CREATE INDEX static_changes_unwritten ON static_changes (lower_case_name) WHERE written < generation;
  INSERT INTO static_changes (lower_case_name, crate, generation) SELECT lower(name), name, 1 FROM crates;
  CREATE TRIGGER index_file_inserted AFTER INSERT ON index_files BEGIN
    INSERT INTO static_changes (lower_case_name, crate, generation)
    SELECT NEW.lower_case_name, name, 1 FROM crates WHERE id = NEW.crate_id
    ON CONFLICT (lower_case_name) DO UPDATE SET crate = excluded.crate, generation = generation + 1;
  END;
  CREATE TRIGGER index_file_updated AFTER UPDATE ON index_files BEGIN
    UPDATE static_changes SET generation = generation + 1 WHERE lower_case_name = NEW.lower_case_name;
  END;
  CREATE TRIGGER index_file_deleted AFTER DELETE ON index_files BEGIN
    UPDATE static_changes SET generation = generation + 1 WHERE lower_case_name = OLD.lower_case_name;
  END;
  `,
  // 5: rate limits.
  `
  CREATE TABLE rate_limits (subject TEXT PRIMARY KEY, full_at INTEGER NOT NULL) STRICT;
  CREATE INDEX rate_limits_by_time ON rate_limits (full_at);
  `,
  // 6: only PostgreSQL needs this step (search tiers). Both databases have the same version numbers.
  '',
  // 7: search words.
  `
  DROP TABLE crate_search;
  CREATE TABLE crate_search (
    rowid INTEGER PRIMARY KEY REFERENCES crates (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    everything TEXT NOT NULL,
    tier INTEGER NOT NULL DEFAULT 2
  ) STRICT;
  CREATE INDEX crate_search_names ON crate_search (name);
  CREATE INDEX crate_search_tiers ON crate_search (tier, name);
  CREATE TABLE search_words (
    crate_id INTEGER NOT NULL REFERENCES crate_search (rowid) ON DELETE CASCADE,
    word TEXT NOT NULL,
    is_in_name INTEGER NOT NULL,
    tier INTEGER NOT NULL,
    PRIMARY KEY (crate_id, word)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX search_words_found ON search_words (tier, is_in_name, word);
  `,
  // 8: crates restricted to trusted publishing, and the last use of cached files of upstreams.
  `
  ALTER TABLE crates ADD COLUMN is_trusted_only INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE pulled_archives ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;
  UPDATE pulled_archives SET used_at = pulled_at;
  CREATE INDEX pulled_archives_by_use ON pulled_archives (used_at, size);
  ALTER TABLE pulled_index_files ADD COLUMN size INTEGER GENERATED ALWAYS AS (octet_length(body)) VIRTUAL;
  CREATE INDEX pulled_index_files_by_use ON pulled_index_files (checked_at, size) WHERE checked_at > 0;
  `,
  // 9: downloads by day, and the settings that admins change in the pages.
  `
  CREATE TABLE daily_downloads (
    version_id INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
    day INTEGER NOT NULL,
    downloads INTEGER NOT NULL,
    PRIMARY KEY (version_id, day)
  ) STRICT;
  CREATE INDEX daily_downloads_by_day ON daily_downloads (day);
  CREATE TABLE daily_downloads_start (day INTEGER NOT NULL) STRICT;
  INSERT INTO daily_downloads_start VALUES (unixepoch() / 86400);
  CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
  `,
  // 10: documentation of versions.
  `
  CREATE TABLE documentation (
    version_id INTEGER PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
    checksum TEXT NOT NULL,
    size INTEGER NOT NULL,
    index_size INTEGER NOT NULL,
    blob_key TEXT NOT NULL,
    uploaded_at INTEGER NOT NULL
  ) STRICT;
  `,
  // 11: teams.
  `
  CREATE TABLE teams (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE team_members (
    team_id INTEGER NOT NULL REFERENCES teams (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    added_at INTEGER NOT NULL,
    PRIMARY KEY (team_id, user_id)
  ) STRICT;
  CREATE INDEX team_members_by_user ON team_members (user_id);
  CREATE TABLE team_owners (
    crate_id INTEGER NOT NULL REFERENCES crates (id) ON DELETE CASCADE,
    team_id INTEGER NOT NULL REFERENCES teams (id),
    added_at INTEGER NOT NULL,
    PRIMARY KEY (crate_id, team_id)
  ) STRICT;
  CREATE INDEX team_owners_by_team ON team_owners (team_id);
  `,
];

/** The first schema version with search words, which SQL alone cannot extract from the texts of crates. */
const FIRST_VERSION_WITH_WORDS = 7;

/**
 * Tables in an order in which each refers only to earlier ones. Excludes the cache of upstreams, which belongs to one
 * store and can be fetched again. Excludes `static_changes`, which describes the files of one store, and whose triggers
 * on `index_files` also run when a snapshot is loaded. Excludes `rate_limits`, whose rows expire within a minute, and the
 * tables that `refreshSearch` writes. A new table must be here, or in this list of exceptions.
 */
export const TABLES: readonly string[] = [
  'users',
  'tokens',
  'sessions',
  'sign_in_failures',
  'secrets',
  'publishers',
  'used_assertions',
  'crates',
  'index_files',
  'versions',
  'readmes',
  'documentation',
  'daily_downloads',
  'daily_downloads_start',
  'dependencies',
  'owners',
  'teams',
  'team_members',
  'team_owners',
  'deleted_names',
  'former_owners',
  'deleted_versions',
  'own_names',
  'settings',
  'audit',
];

/** Returns the names of a table's columns. */
export function tableColumns(database: SqliteDatabase, table: string): readonly string[] {
  return database.all('SELECT name FROM pragma_table_info(?)', table).map((row) => text(row, 'name'));
}

/** The newest schema version, which this release reads and writes. */
export const SCHEMA_VERSION = STEPS.length;

/** Returns the schema version of the records; 0 for a new file. */
export function readSchemaVersion(database: SqliteDatabase): number {
  return integer(present(database.get('PRAGMA user_version'), 'the schema version'), 'user_version');
}

/** Returns the schema version of the records. Throws `config` if a newer release has written them. */
export function requireSupportedSchema(database: SqliteDatabase): number {
  const version = readSchemaVersion(database);
  if (version <= SCHEMA_VERSION) return version;
  throw new TsregError(
    `the registry has schema version ${version}; this release supports versions up to ${SCHEMA_VERSION}`,
    {
      code: 'config',
      hint: 'install a newer release of tsreg',
    },
  );
}

/**
 * Migrates records to the newest schema version. Returns false if they already have it. Throws `config` if a newer
 * release wrote them.
 */
export function migrate(database: SqliteDatabase): boolean {
  if (readSchemaVersion(database) === SCHEMA_VERSION) return false;
  database.transaction(() => {
    // Read again, because another process may have migrated meanwhile.
    const from = requireSupportedSchema(database);
    for (const step of STEPS.slice(from)) database.exec(step);
    if (from < FIRST_VERSION_WITH_WORDS) indexWords(database);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
  return true;
}

/** Extracts the search words of all crates, and ranks the crates. */
export function indexWords(database: SqliteDatabase): void {
  for (const row of database.all(`SELECT ${CRATE_COLUMNS} FROM crates`)) {
    doWork(database, refreshSearch(asCrate(row)));
  }
  doWork(database, rankCrates());
}
