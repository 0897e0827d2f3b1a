import { text } from './row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Names of the columns of a table. */
export function tableColumns(database: SqliteDatabase, table: string): readonly string[] {
  return database.all('SELECT name FROM pragma_table_info(?)', table).map((row) => text(row, 'name'));
}
