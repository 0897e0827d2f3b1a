import type { Records } from '../store/store.ts';
import { allRecords } from './all-records.ts';
import { requireKnownSchema } from './known-schema.ts';
import { migrate, requireSupportedSchema } from './schema.ts';
import { snapshotRecords } from './snapshot-records.ts';
import { openSqlite, type SqliteOptions } from './sqlite-database.ts';
import { asSqliteError } from './sqlite-errors.ts';
import { sqliteWork } from './sqlite-work.ts';

/** Records in a SQLite file, and the function that closes it. */
export interface SqliteRecords {
  readonly records: Records;
  readonly close: () => void;
}

/** Opens the records in the file at `path`, or creates them. Throws as `openSqlite` and `requireKnownSchema` do. */
export async function openSqliteRecords(path: string, options: SqliteOptions): Promise<SqliteRecords> {
  const database = await openSqlite(path, options);
  try {
    await requireKnownSchema(database);
    if (migrate(database)) await requireKnownSchema(database);
  } catch (error) {
    database.close();
    throw asSqliteError(error);
  }
  return {
    records: {
      sqlite: database.description,
      ...allRecords(sqliteWork(database, () => void requireSupportedSchema(database))),
      ...snapshotRecords(database),
    },
    close: () => database.close(),
  };
}
