import type { SqliteDatabase } from './sqlite-database.ts';
import { asSqliteError } from './sqlite-errors.ts';
import type { SqlDatabase, SqlResult, SqlStatement, Work } from './sql-work.ts';

/** The errors of a statement that meets records of another schema version. */
const LACKING = /^no such (?:table|column)/;

/**
 * Does work in a SQLite file, all of it before anything else of this process. Nothing is changed where `check`, which is
 * called in each transaction and for what is not there, throws.
 */
export function sqliteWork(database: SqliteDatabase, check: () => void): SqlDatabase {
  const change = <T>(work: () => Work<T>): T => {
    check();
    return doWork(database, work());
  };
  const rethrow = (error: unknown): never => {
    if (error instanceof Error && LACKING.test(error.message)) check();
    throw asSqliteError(error);
  };
  const read = async <T>(work: () => Work<T>): Promise<T> => {
    try {
      return doWork(database, work());
    } catch (error) {
      return rethrow(error);
    }
  };
  return {
    dialect: 'sqlite',
    read,
    readMoment: read,
    write: (work) => database.write(() => change(work)).catch(rethrow),
    note: async (work) => {
      try {
        return database.transaction(() => change(work));
      } catch (error) {
        return rethrow(error);
      }
    },
  };
}

/** Does work within a transaction, or outside of any. */
export function doWork<T>(database: SqliteDatabase, work: Work<T>): T {
  let step = work.next();
  while (step.done !== true) step = work.next(run(database, step.value));
  return step.value;
}

const NOTHING: SqlResult = { rows: [], changes: 0, id: null };

function run(database: SqliteDatabase, { kind, sql, runs }: SqlStatement): SqlResult {
  const text = typeof sql === 'string' ? sql : sql.sqlite;
  const [values = []] = runs;
  if (text === null) return NOTHING;
  if (kind === 'rows') return { ...NOTHING, rows: database.all(text, ...values) };
  if (kind === 'row') {
    const row = database.get(text, ...values);
    return row === null ? NOTHING : { ...NOTHING, rows: [row] };
  }
  let changes = 0;
  let id: number | null = null;
  for (const each of runs) {
    const result = database.run(text, ...each);
    changes += result.changes;
    id = result.changes === 0 ? null : result.lastId;
  }
  return { ...NOTHING, changes, id };
}
