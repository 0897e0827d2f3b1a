import type { SqliteDatabase } from './sqlite-database.ts';
import { asSqliteError } from './sqlite-errors.ts';
import type { SqlDatabase, SqlResult, SqlStatement, Work } from './sql-work.ts';

/** Matches the errors of a statement that needs another schema version. */
const MISSING_DEFINITION = /^no such (?:table|column)/;

/**
 * Runs work in a SQLite file. No other work of this process runs in between. `check` throws if the schema version is
 * unsupported. It runs in each write transaction, and after errors about missing tables or columns.
 */
export function sqliteWork(database: SqliteDatabase, check: () => void): SqlDatabase {
  const checkAndDo = <T>(work: () => Work<T>): T => {
    check();
    return doWork(database, work());
  };
  const rethrow = (error: unknown): never => {
    if (error instanceof Error && MISSING_DEFINITION.test(error.message)) check();
    throw asSqliteError(error);
  };
  const attempt = async <T>(body: () => T): Promise<T> => {
    try {
      return body();
    } catch (error) {
      return rethrow(error);
    }
  };
  return {
    dialect: 'sqlite',
    read: (work) => attempt(() => doWork(database, work())),
    readMoment: (work) => attempt(() => database.moment(() => doWork(database, work()))),
    write: (work) => database.write(() => checkAndDo(work)).catch(rethrow),
    writeUnsynced: (work) => attempt(() => database.transaction(() => checkAndDo(work))),
  };
}

/** Runs work, within a transaction or outside of one. */
export function doWork<T>(database: SqliteDatabase, work: Work<T>): T {
  let step = work.next();
  while (step.done !== true) step = work.next(run(database, step.value));
  return step.value;
}

/** The result of a statement that this dialect does not need. */
const NOTHING: SqlResult = { rows: [], changes: 0, id: null };

/** Runs a statement: a query once, with its first values, and a change with each list of values. */
function run(database: SqliteDatabase, { kind, sql, runs }: SqlStatement): SqlResult {
  const text = typeof sql === 'string' ? sql : sql.sqlite;
  if (text === null) return NOTHING;
  const [values = []] = runs;
  if (kind === 'rows') return { ...NOTHING, rows: database.all(text, ...values) };
  if (kind === 'row') {
    const row = database.get(text, ...values);
    return row === null ? NOTHING : { ...NOTHING, rows: [row] };
  }
  let changes = 0;
  let id: number | null = null;
  for (const runValues of runs) {
    const result = database.run(text, ...runValues);
    changes += result.changes;
    id = result.changes === 0 ? null : result.lastId;
  }
  return { ...NOTHING, changes, id };
}
