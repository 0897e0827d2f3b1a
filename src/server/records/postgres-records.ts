import { setTimeout as sleep } from 'node:timers/promises';
import { TsregError } from '../../errors/error.ts';
import type { Records } from '../store.ts';
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
import { POSTGRES_SEAL } from './seal.ts';
import { checkSnapshot } from './snapshot-records.ts';
import { change, one, type SqlDatabase } from './sql-work.ts';

/** Connections that one process uses at a time, unless the address says otherwise by `?max=`. */
const MAX_CONNECTIONS = 10;
/** How long to wait for one of them. */
const WAIT_MS = 10_000;

/** How long to wait before each further attempt to begin. */
const START_PAUSES_MS = [200, 500, 1000, 2000];

/** Records in a PostgreSQL database. */
export interface PostgresRecords {
  readonly records: Records;
  readonly close: () => Promise<void>;
}

/**
 * Opens the records in a database, or makes them. Throws `config` for an address that is none and for records of a
 * newer program, and `network` where the database cannot be reached.
 */
export async function openPostgresRecords(url: string): Promise<PostgresRecords> {
  const connect = await connector(url);
  await migrateOnceUp(connect);
  const pool = new PostgresPool(connect, { max: maxConnections(url), waitMs: WAIT_MS });
  const database = postgresWork(pool);
  return {
    records: {
      ...allRecords(database),
      ...sealing(database),
      saveSnapshot: (path) => patiently(connect, (connection) => savePostgresSnapshot(connection, path)),
      async loadSnapshot(path) {
        await checkSnapshot(path);
        await patiently(connect, (connection) => loadPostgresSnapshot(connection, path));
      },
      figures: () => pool.figures(),
      findDamage: () => patiently(connect, findDamage),
      schemaVersion: () => pool.use(readPostgresSchemaVersion).catch(rethrow),
      ping: () => pool.use(checkUsable).catch(rethrow),
    },
    close: () => pool.end(),
  };
}

/** True if there are records in a database. Throws as `openPostgresRecords` does. */
export async function hasPostgresRecords(url: string): Promise<boolean> {
  return (await patiently(await connector(url), readPostgresSchemaVersion)) > 0;
}

/** The statements that opening the records in a database would run before anything else. Throws as that does. */
export async function planPostgresMigration(url: string): Promise<readonly string[]> {
  return await patiently(await connector(url), planMigration);
}

/** Runs them. Throws as `openPostgresRecords` does. */
export async function migrateDatabase(url: string): Promise<void> {
  await patiently(await connector(url), migratePostgres);
}

/** A server that is started while the database restarts starts all the same. What is undone may be begun anew. */
async function migrateOnceUp(connect: Connect): Promise<void> {
  for (const pauseMs of START_PAUSES_MS) {
    const connection = connect({ isPatient: true });
    try {
      return await migratePostgres(connection);
    } catch (error) {
      if (!isRestarting(error)) throw asDatabaseError(error);
    } finally {
      await connection.end();
    }
    await sleep(pauseMs);
  }
  await patiently(connect, migratePostgres);
}

/** Uses a connection of its own, for what may take long. */
async function patiently<T>(
  connect: Connect,
  body: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const connection = connect({ isPatient: true });
  try {
    return await body(connection);
  } catch (error) {
    throw asDatabaseError(error);
  } finally {
    await connection.end();
  }
}

function rethrow(error: unknown): never {
  throw asDatabaseError(error);
}

function sealing(database: SqlDatabase): Pick<Records, 'seal' | 'unseal' | 'isSealed'> {
  const { prepare, tables, find } = POSTGRES_SEAL;
  return {
    async seal() {
      if ((await database.read(() => one(find))) !== null) return;
      try {
        await database.write(() => change(prepare));
        for (const table of tables) {
          await database.write(function* () {
            if ((yield* one(table.find)) === null) yield* change(table.seal);
          });
        }
      } catch (error) {
        throw isForbidden(error) ? notSealed(error) : error;
      }
    },
    async unseal() {
      for (const table of tables) {
        await database.write(function* () {
          if ((yield* one(table.find)) !== null) yield* change(table.unseal);
        });
      }
    },
    isSealed: async () => (await database.read(() => one(find))) !== null,
  };
}

function notSealed({ message }: Error): TsregError {
  return new TsregError(message, {
    code: 'io',
    hint: 'only the owner of the tables can make the registry read-only: name that user in the address of the database',
  });
}

function maxConnections(url: string): number {
  const [, query = ''] = url.split('?', 2);
  const given = new URLSearchParams(query).get('max') ?? '';
  return /^[1-9]\d{0,3}$/.test(given) ? Number(given) : MAX_CONNECTIONS;
}

/**
 * A database that can only be read would fail with the first token that is used. A newer program may have migrated it
 * meanwhile.
 */
async function checkUsable(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.query("SELECT current_setting('transaction_read_only') AS read_only");
  if (rows[0]?.['read_only'] !== 'off') throw new Error('the database can only be read');
  await checkPostgresSchema(connection);
}

/** What the database itself cannot keep up: that what is derived of versions is there. */
async function findDamage(connection: PostgresConnection): Promise<string | null> {
  const { rows } = await connection.query(
    `SELECT (SELECT name FROM crates WHERE NOT EXISTS (SELECT 1 FROM index_files WHERE crate_id = crates.id)
       OR NOT EXISTS (SELECT 1 FROM crate_search WHERE rowid = crates.id)
       OR NOT EXISTS (SELECT 1 FROM versions WHERE crate_id = crates.id AND version = crates.max_version)
       LIMIT 1) AS name`,
  );
  const name = rows[0] === undefined ? null : optionalText(rows[0], 'name');
  if (name !== null) return `the records of the crate \`${name}\` are incomplete`;
  const kept = await connection.query(
    `SELECT 1 AS found FROM (SELECT sum(crates) AS crates, sum(versions) AS versions, sum(downloads) AS downloads
       FROM totals) AS kept
     WHERE coalesce(crates, 0) <> (SELECT count(*) FROM crates)
       OR coalesce(versions, 0) <> (SELECT count(*) FROM versions)
       OR coalesce(downloads, 0) <> (SELECT coalesce(sum(downloads), 0) FROM crates)`,
  );
  return kept.rows.length === 0
    ? null
    : 'the stored counts of crates, versions and downloads are wrong: `tsreg serve restore` a `tsreg serve backup` of it';
}
