import { TsregError } from '../../core/errors/error.ts';
import { requireKnownSchema } from './known-schema.ts';
import { text } from './row.ts';
import {
  indexWords,
  migrate,
  readSchemaVersion,
  requireSupportedSchema,
  SCHEMA_VERSION,
  tableColumns,
  TABLES,
} from './schema.ts';
import { SQLITE_READ_ONLY } from './read-only.ts';
import { openSqlite, type SqliteDatabase } from './sqlite-database.ts';
import { asSqliteError, isFull } from './sqlite-errors.ts';
import type { DatabaseRecords } from '../store/database-records.ts';

/** Implements the record methods that are specific to SQLite. A snapshot is a SQLite file. */
export function snapshotRecords(database: SqliteDatabase): DatabaseRecords {
  return {
    async saveSnapshot(path) {
      try {
        database.run('VACUUM INTO ?', path);
      } catch (error) {
        throw asSqliteError(error, path);
      }
    },
    async loadSnapshot(path) {
      await checkSnapshot(path);
      database.run('ATTACH ? AS snapshot', path);
      try {
        await write(database, () => replaceAll(database));
      } finally {
        database.exec('DETACH snapshot');
      }
    },
    async findDamage() {
      return findDamage(database);
    },
    async schemaVersion() {
      return readSchemaVersion(database);
    },
    async ping() {
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
      requireSupportedSchema(database);
    },
    async setReadOnly() {
      await write(database, () => execAll(database, SQLITE_READ_ONLY.setReadOnly));
    },
    async setWritable() {
      await write(database, () => execAll(database, SQLITE_READ_ONLY.setWritable));
    },
    async isReadOnly() {
      return database.get(SQLITE_READ_ONLY.find) !== null;
    },
  };
}

/** Runs `body` in a transaction. Throws what `asSqliteError` returns. */
async function write(database: SqliteDatabase, body: () => void): Promise<void> {
  try {
    await database.write(body);
  } catch (error) {
    throw asSqliteError(error);
  }
}

/** Migrates a snapshot to the newest schema version. Throws `config` if the file is not a snapshot or is damaged. */
export async function checkSnapshot(path: string): Promise<void> {
  const snapshot = await openSqlite(path, { isShared: false }).catch((cause: unknown) => {
    throw notASnapshot(path, cause);
  });
  try {
    const version = readSchemaVersion(snapshot);
    if (version === 0) throw notASnapshot(path);
    await requireKnownSchema(snapshot);
    // A copy of read-only records is read-only too.
    execAll(snapshot, SQLITE_READ_ONLY.setWritable);
    if (migrate(snapshot)) await requireKnownSchema(snapshot);
    if (findDamage(snapshot) !== null) throw notASnapshot(path);
  } catch (cause) {
    if (isFull(cause)) throw asSqliteError(cause, path);
    throw cause instanceof TsregError ? cause : notASnapshot(path, cause);
  } finally {
    snapshot.close();
  }
}

/** Returns a description of the damage; null if there is none. */
function findDamage(database: SqliteDatabase): string | null {
  const result = database.get('SELECT integrity_check AS result FROM pragma_integrity_check LIMIT 1');
  if (result === null || text(result, 'result') !== 'ok') return "the registry's records are damaged";
  const orphan = database.get('SELECT "table" AS name FROM pragma_foreign_key_check LIMIT 1');
  return orphan === null ? null : `a row of \`${text(orphan, 'name')}\` refers to a missing row`;
}

/** Replaces all records with those of the attached database `snapshot`, as part of the current transaction. */
function replaceAll(database: SqliteDatabase): void {
  if (readSchemaVersion(database) !== SCHEMA_VERSION) {
    throw new TsregError("the registry's records have the schema version of another release of tsreg", {
      code: 'config',
    });
  }
  execAll(database, SQLITE_READ_ONLY.setWritable);
  for (const table of ['search_words', 'crate_search']) database.exec(`DELETE FROM main.${table}`);
  for (const table of TABLES.toReversed()) database.exec(`DELETE FROM main.${table}`);
  for (const table of TABLES) {
    const columns = tableColumns(database, table).join(', ');
    database.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM snapshot.${table}`);
  }
  // Copies the last assigned IDs too, so that those of deleted rows are not reused.
  database.exec('DELETE FROM main.sqlite_sequence');
  const tables = TABLES.map((table) => `'${table}'`).join(', ');
  database.exec(
    `INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM snapshot.sqlite_sequence WHERE name IN (${tables})`,
  );
  indexWords(database);
}

function execAll(database: SqliteDatabase, statements: readonly string[]): void {
  for (const statement of statements) database.exec(statement);
}

function notASnapshot(path: string, cause?: unknown): TsregError {
  return new TsregError(`\`${path}\` is not a snapshot of a registry's records, or it is damaged`, {
    code: 'config',
    cause,
  });
}
