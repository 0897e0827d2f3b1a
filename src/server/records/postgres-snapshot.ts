/** Copies all records of a PostgreSQL database to a SQLite file and back, in batches that fit into memory. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { asCrate, CRATE_COLUMNS, refreshSearch, searchTexts } from './crate-rows.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { requireCopyableSchema } from './postgres-migration.ts';
import { BEGIN_READ_MOMENT, inTransaction } from './postgres-work.ts';
import { RANK_CRATES } from './rank-crates.ts';
import { bytes, integer, placeholders } from './row.ts';
import { migrate, tableColumns, TABLES } from './schema.ts';
import { POSTGRES_READ_ONLY } from './read-only.ts';
import { openSqlite, type SqliteDatabase } from './sqlite-database.ts';
import { asSqliteError } from './sqlite-errors.ts';
import { doWork } from './sqlite-work.ts';
import type { SqlRow, SqlValue } from './sql-work.ts';

/** Number of rows in memory at a time. */
const BATCH_SIZE = 1000;
/** Sort orders for reading tables: owners are listed in the order in which they were added. */
const ORDERS: Readonly<Record<string, string>> = { owners: 'rowid' };

/** Recounts the totals. */
const RECOUNT_TOTALS = `DELETE FROM totals;
  INSERT INTO totals SELECT 0, (SELECT count(*) FROM crates), (SELECT count(*) FROM versions),
    (SELECT CAST(coalesce(sum(downloads), 0) AS BIGINT) FROM crates)`;

/** Writes all records as they are at one moment to a new SQLite file. Throws as `requireCopyableSchema` does. */
export async function savePostgresSnapshot(connection: PostgresConnection, path: string): Promise<void> {
  const snapshot = await openSqlite(path, { isShared: false });
  try {
    migrate(snapshot);
    // No other process has the file, so one transaction can cover everything.
    snapshot.exec('BEGIN');
    await inTransaction(connection, BEGIN_READ_MOMENT, () => copyTables(snapshot, connection));
    for (const rows of batches(snapshot, 'crates', CRATE_COLUMNS)) {
      for (const row of rows) doWork(snapshot, refreshSearch(asCrate(row)));
    }
    snapshot.exec('COMMIT');
  } catch (error) {
    throw asSqliteError(error, path);
  } finally {
    snapshot.close();
  }
}

/** Copies all tables but `crate_search`, which is derived from the crates. */
async function copyTables(snapshot: SqliteDatabase, connection: PostgresConnection): Promise<void> {
  await requireCopyableSchema(connection);
  for (const table of TABLES) {
    const columns = tableColumns(snapshot, table);
    const order = ORDERS[table] === undefined ? '' : ` ORDER BY ${ORDERS[table]}`;
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders(columns)})`;
    // The schema of a new file fills some tables.
    snapshot.exec(`DELETE FROM ${table}`);
    for await (const rows of connection.batches(
      `SELECT ${columns.join(', ')} FROM ${table}${order}`,
      BATCH_SIZE,
    )) {
      for (const row of rows) snapshot.run(insert, ...columns.map((column) => asSqlValue(row, column)));
    }
    await copySequence(snapshot, connection, table);
  }
}

/** Copies the last assigned ID, so that the IDs of deleted rows are not reused. */
async function copySequence(
  snapshot: SqliteDatabase,
  connection: PostgresConnection,
  table: string,
): Promise<void> {
  const sequence = await findSequence(connection, table);
  if (sequence === null) return;
  const [row] = (await connection.query(`SELECT last_value, is_called FROM ${sequence}`)).rows;
  if (row === undefined || row['is_called'] !== true) return;
  snapshot.run('DELETE FROM sqlite_sequence WHERE name = ?', table);
  snapshot.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, integer(row, 'last_value'));
}

/** Returns the sequence of a table's IDs; null for a table without IDs. */
async function findSequence(connection: PostgresConnection, table: string): Promise<string | null> {
  const { rows } = await connection.query(
    `SELECT pg_get_serial_sequence($1, 'id') AS sequence WHERE EXISTS (
     SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'id' AND NOT attisdropped)`,
    [table],
  );
  const name = rows[0]?.['sequence'];
  return typeof name === 'string' ? name : null;
}

/**
 * Replaces all records at once with those of a SQLite file that has the newest schema version, and makes them writable.
 * Meanwhile readers see the old records and writers wait. Throws as `requireCopyableSchema` does.
 */
export async function loadPostgresSnapshot(connection: PostgresConnection, path: string): Promise<void> {
  const snapshot = await openSqlite(path, { isShared: false });
  try {
    await inTransaction(connection, 'BEGIN', async () => {
      await connection.exec(
        `LOCK TABLE ${[...TABLES, 'crate_search'].join(', ')} IN SHARE ROW EXCLUSIVE MODE`,
      );
      await requireCopyableSchema(connection);
      await connection.exec(POSTGRES_READ_ONLY.exempt);
      for (const table of TABLES.toReversed()) await connection.exec(`DELETE FROM ${table}`);
      for (const table of TABLES) {
        await copyTable(connection, snapshot, table);
        const sequence = await findSequence(connection, table);
        if (sequence === null) continue;
        const [row] = snapshot.all('SELECT seq FROM sqlite_sequence WHERE name = ?', table);
        const last = row === undefined ? 0 : integer(row, 'seq');
        // If no ID was assigned, the third argument makes 1 the next one.
        await connection.query(`SELECT setval($1, $2, ${last > 0})`, [sequence, Math.max(last, 1)]);
      }
      await copySearch(connection, snapshot);
      await connection.exec(RECOUNT_TOTALS);
      await connection.exec(RANK_CRATES);
    });
    for (const { find, setWritable } of POSTGRES_READ_ONLY.tables) {
      if ((await connection.query(find)).rows.length > 0) await connection.exec(setWritable);
    }
    await connection.exec('ANALYZE');
  } finally {
    snapshot.close();
  }
}

async function copyTable(
  connection: PostgresConnection,
  snapshot: SqliteDatabase,
  table: string,
): Promise<void> {
  const columns = tableColumns(snapshot, table);
  const target = await connection.copyIn(`COPY ${table} (${columns.join(', ')}) FROM STDIN`);
  const lines = copyLines(batches(snapshot, table, columns.join(', ')), (row) =>
    columns.map((column) => asSqlValue(row, column)),
  );
  await pipeline(Readable.from(lines), target);
}

/** Writes `crate_search`, whose triggers extract the search words. */
async function copySearch(connection: PostgresConnection, snapshot: SqliteDatabase): Promise<void> {
  const target = await connection.copyIn('COPY crate_search (rowid, name, everything) FROM STDIN');
  const lines = copyLines(batches(snapshot, 'crates', CRATE_COLUMNS), (row) => {
    const crate = asCrate(row);
    const { name, everything } = searchTexts(crate);
    return [crate.id, name, everything];
  });
  await pipeline(Readable.from(lines), target);
}

/** Yields the rows of a table in the order of their insertion, in batches of `BATCH_SIZE`. */
function* batches(database: SqliteDatabase, table: string, columns: string): Generator<readonly SqlRow[]> {
  const sql = `SELECT rowid AS place, ${columns} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${BATCH_SIZE}`;
  for (let after = 0; ; ) {
    const rows = database.all(sql, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = integer(last, 'place');
  }
}

/** Yields the input of `COPY`, one text for each batch. */
function* copyLines(
  rowBatches: Iterable<readonly SqlRow[]>,
  values: (row: SqlRow) => readonly SqlValue[],
): Generator<string> {
  for (const rows of rowBatches)
    yield rows.map((row) => `${values(row).map(asCopyField).join('\t')}\n`).join('');
}

/** Escapes of `COPY`'s text format. PostgreSQL cannot store NUL. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\u{fffd}',
};

/** Returns a value in `COPY`'s text format: PostgreSQL documentation, COPY, Text Format. */
function asCopyField(value: SqlValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return `\\\\x${Buffer.from(value).toString('hex')}`;
  return value.replaceAll(/[\\\p{Cc}]/gu, (character) => ESCAPES[character] ?? character);
}

function asSqlValue(row: SqlRow, column: string): SqlValue {
  const value = row[column];
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'bigint' ? Number(value) : bytes(row, column);
}
