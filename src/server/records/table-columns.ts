import { text } from './row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Returns the names of a table's columns. */
export function tableColumns(database: SqliteDatabase, table: string): readonly string[] {
  return database.all('SELECT name FROM pragma_table_info(?)', table).map((row) => text(row, 'name'));
}
