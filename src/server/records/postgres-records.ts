import { setTimeout as sleep } from 'node:timers/promises';
import { TsregError } from '../../core/errors/error.ts';
import type { Records } from '../store/store.ts';
import { allRecords } from './all-records.ts';
import { type Connect, connector, type PostgresConnection } from './postgres-connection.ts';
import { asDatabaseError, isForbidden, isRestarting } from './postgres-errors.ts';
import {
  checkPostgresSchema,
  migratePostgres,
  planMigration,
  readPostgresSchemaVersion,
} from './postgres-migration.ts';
import { PostgresPool } from './postgres-pool.ts';
import { loadPostgresSnapshot, savePostgresSnapshot } from './postgres-snapshot.ts';
import { postgresWork } from './postgres-work.ts';
import { optionalText } from './row.ts';
import { POSTGRES_READ_ONLY } from './read-only.ts';
import { checkSnapshot } from './snapshot-records.ts';
import { change, one, type SqlDatabase } from './sql-work.ts';
import type { ReadOnlySwitch } from '../store/database-records.ts';

/** Maximum number of connections of one process, unless the address sets `?max=`. */
const MAX_CONNECTIONS = 10;
/** How long to wait for a free connection. */
const MAX_WAIT_MS = 10_000;

/** Pauses before further attempts to start. */
const START_PAUSES_MS = [200, 500, 1000, 2000];

/** Records in a PostgreSQL database, and the function that closes the pool. */
export interface PostgresRecords {
  readonly records: Records;
  readonly close: () => Promise<void>;
}

/**
 * Opens the records in a database, or creates them. Throws `config` for an invalid address or an unsupported schema,
 * and `network` if the database is unreachable.
 */
export async function openPostgresRecords(url: string): Promise<PostgresRecords> {
  const connect = await connector(url);
  await migrateAtStart(connect);
  const pool = new PostgresPool(connect, { max: maxConnections(url), waitMs: MAX_WAIT_MS });
  const database = postgresWork(pool);
  return {
    records: {
      ...allRecords(database),
      ...readOnlySwitch(database),
      saveSnapshot: (path) =>
        withLongConnection(connect, (connection) => savePostgresSnapshot(connection, path)),
      async loadSnapshot(path) {
        await checkSnapshot(path);
        await withLongConnection(connect, (connection) => loadPostgresSnapshot(connection, path));
      },
      figures: () => pool.figures(),
      findDamage: () => withLongConnection(connect, findDamage),
      schemaVersion: () => pool.use(readPostgresSchemaVersion).catch(throwDatabaseError),
      ping: () => pool.use(checkUsable).catch(throwDatabaseError),
    },
    close: () => pool.end(),
  };
}

/** Returns true if a database has records. Throws as `openPostgresRecords` does. */
export async function hasPostgresRecords(url: string): Promise<boolean> {
  return (await withLongConnection(await connector(url), readPostgresSchemaVersion)) > 0;
}

/** Returns the statements that `openPostgresRecords` would run to migrate a database. Throws as that does. */
export async function planPostgresMigration(url: string): Promise<readonly string[]> {
  return await withLongConnection(await connector(url), planMigration);
}

/** Migrates a database. Throws as `openPostgresRecords` does. */
export async function migrateDatabase(url: string): Promise<void> {
  await withLongConnection(await connector(url), migratePostgres);
}

/** Migrates, and waits while the database restarts. An interrupted migration is rolled back and can start again. */
async function migrateAtStart(connect: Connect): Promise<void> {
  for (const pauseMs of START_PAUSES_MS) {
    const connection = connect({ hasNoTimeouts: true });
    try {
      return await migratePostgres(connection);
    } catch (error) {
      if (!isRestarting(error)) throw asDatabaseError(error);
    } finally {
      await connection.end();
    }
    await sleep(pauseMs);
  }
  await withLongConnection(connect, migratePostgres);
}

/** Runs `body` with a separate connection, which has no time limits. */
async function withLongConnection<T>(
  connect: Connect,
  body: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const connection = connect({ hasNoTimeouts: true });
  try {
    return await body(connection);
  } catch (error) {
    throw asDatabaseError(error);
  } finally {
    await connection.end();
  }
}

function throwDatabaseError(error: unknown): never {
  throw asDatabaseError(error);
}

/** Implements `ReadOnlySwitch`. Its transactions are those that `POSTGRES_READ_ONLY` requires. */
function readOnlySwitch(database: SqlDatabase): ReadOnlySwitch {
  const { prepare, tables, find } = POSTGRES_READ_ONLY;
  return {
    async setReadOnly() {
      if ((await database.read(() => one(find))) !== null) return;
      try {
        await database.write(() => change(prepare));
        for (const table of tables) {
          await database.write(function* () {
            if ((yield* one(table.find)) === null) yield* change(table.setReadOnly);
          });
        }
      } catch (error) {
        throw isForbidden(error) ? notReadOnly(error) : error;
      }
    },
    async setWritable() {
      for (const table of tables) {
        await database.write(function* () {
          if ((yield* one(table.find)) !== null) yield* change(table.setWritable);
        });
      }
    },
    isReadOnly: async () => (await database.read(() => one(find))) !== null,
  };
}

function notReadOnly({ message }: Error): TsregError {
  return new TsregError(message, {
    code: 'io',
    hint: 'only the owner of the tables can make the registry read-only: name that user in the address of the database',
  });
}

/** Returns the value of `?max=` in the address if it is valid. */
function maxConnections(url: string): number {
  const [, query = ''] = url.split('?', 2);
  const max = new URLSearchParams(query).get('max') ?? '';
  return /^[1-9]\d{0,3}$/.test(max) ? Number(max) : MAX_CONNECTIONS;
}

/**
 * Throws if the database is read-only, because reads would succeed but the first use of a token would fail. Also throws
 * if a newer release has migrated the database.
 */
async function checkUsable(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.query("SELECT current_setting('transaction_read_only') AS read_only");
  if (rows[0]?.['read_only'] !== 'off') throw new Error('the database can only be read');
  await checkPostgresSchema(connection);
}

/** Returns a description of missing or wrong derived data, which the database does not check; null if there is none. */
async function findDamage(connection: PostgresConnection): Promise<string | null> {
  const { rows } = await connection.query(
    `SELECT (SELECT name FROM crates WHERE NOT EXISTS (SELECT 1 FROM index_files WHERE crate_id = crates.id)
       OR NOT EXISTS (SELECT 1 FROM crate_search WHERE rowid = crates.id)
       OR NOT EXISTS (SELECT 1 FROM versions WHERE crate_id = crates.id AND version = crates.max_version)
       LIMIT 1) AS name`,
  );
  const name = rows[0] === undefined ? null : optionalText(rows[0], 'name');
  if (name !== null) return `the records of the crate \`${name}\` are incomplete`;
  const stored = await connection.query(
    `SELECT 1 AS found FROM (SELECT sum(crates) AS crates, sum(versions) AS versions, sum(downloads) AS downloads
       FROM totals) AS kept
     WHERE coalesce(crates, 0) <> (SELECT count(*) FROM crates)
       OR coalesce(versions, 0) <> (SELECT count(*) FROM versions)
       OR coalesce(downloads, 0) <> (SELECT coalesce(sum(downloads), 0) FROM crates)`,
  );
  return stored.rows.length === 0
    ? null
    : 'the stored counts of crates, versions and downloads are wrong: `tsreg serve restore` a `tsreg serve backup` of it';
}
