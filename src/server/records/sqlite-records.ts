import type { Records } from '../store.ts';
import { auditRecords } from './audit-records.ts';
import { crateRecords } from './crate-records.ts';
import { deleteRecords } from './delete-records.ts';
import { downloadRecords } from './download-records.ts';
import { ownerRecords } from './owner-records.ts';
import { publishRecords } from './publish-records.ts';
import { publisherRecords } from './publisher-records.ts';
import { migrate } from './schema.ts';
import { searchRecords } from './search-records.ts';
import { snapshotRecords } from './snapshot-records.ts';
import { openSqlite, type SqliteOptions } from './sqlite-database.ts';
import { sqliteWork } from './sqlite-work.ts';
import { staticRecords } from './static-records.ts';
import { upstreamRecords } from './upstream-records.ts';
import { userRecords } from './user-records.ts';

/** Records in a SQLite file. */
export interface SqliteRecords {
  readonly records: Records;
  readonly close: () => void;
}

/** Opens the records in the file at `path`, or makes them. */
export async function openSqliteRecords(path: string, options: SqliteOptions): Promise<SqliteRecords> {
  const database = await openSqlite(path, options);
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const sql = sqliteWork(database);
  return {
    records: {
      ...crateRecords(sql),
      ...downloadRecords(sql),
      ...searchRecords(sql),
      ...publishRecords(sql),
      ...deleteRecords(sql),
      ...ownerRecords(sql),
      ...userRecords(sql),
      ...publisherRecords(sql),
      ...auditRecords(sql),
      ...upstreamRecords(sql),
      ...staticRecords(sql),
      ...snapshotRecords(database),
    },
    close: () => database.close(),
  };
}
