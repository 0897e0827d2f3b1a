/**
 * Database work, independent of the database that runs it. A `Work` yields statements and receives their results, so
 * that the same code runs on a synchronous and on a remote database.
 */
import { present } from '../../core/errors/assert.ts';

/** A value for a placeholder. */
export type SqlValue = string | number | null | Uint8Array;
/** A row by column name. */
export type SqlRow = Readonly<Record<string, unknown>>;
/** The kinds of databases, whose SQL differs in details. */
export type SqlDialect = 'sqlite' | 'postgres';

/** A statement with the placeholders `?`, or `?1`, `?2`, … if a value is used several times. */
export interface SqlStatement {
  /** The wanted result: the first row, all rows, the number of changed rows, or the `id` of the inserted row. */
  readonly kind: 'row' | 'rows' | 'change' | 'insert';
  /** One text for both dialects, or one for each; null if a dialect needs no statement. */
  readonly sql: string | Readonly<Record<SqlDialect, string | null>>;
  /** The values of each run: the statement runs once for each list. */
  readonly runs: readonly (readonly SqlValue[])[];
}

/** The result of a statement, of its last run unless stated otherwise. */
export interface SqlResult {
  readonly rows: readonly SqlRow[];
  /** Number of rows that all runs changed. */
  readonly changes: number;
  /** null if nothing was inserted. */
  readonly id: number | null;
}

/** A generator of statements that returns a value. It may be restarted: its only effects must be on the database. */
export type Work<T> = Generator<SqlStatement, T, SqlResult>;

/** Planner settings for reads that the database would plan badly by itself. */
export interface ReadOptions {
  /** Plans once for all values, with indexes and nested loops only. */
  readonly plan: 'by-indexes';
}

/** Runs work. Work that fails changes nothing. */
export interface SqlDatabase {
  readonly dialect: SqlDialect;
  /** Runs read-only work. Each statement sees everything that was committed before it. */
  read<T>(work: () => Work<T>): Promise<T>;
  /** Runs read-only work in which all statements see the same moment. */
  readMoment<T>(work: () => Work<T>, options?: ReadOptions): Promise<T>;
  /** Runs work in a transaction. Its changes survive a power failure once this returns. */
  write<T>(work: () => Work<T>): Promise<T>;
  /**
   * Runs work as `write` does, but faster: a power failure may lose its changes, and a lost connection may apply them
   * twice. For counts and other mere notes.
   */
  writeUnsynced<T>(work: () => Work<T>): Promise<T>;
}

type Sql = SqlStatement['sql'];

/** Returns the first row, or null. */
export function* one(sql: Sql, ...values: readonly SqlValue[]): Work<SqlRow | null> {
  return (yield { kind: 'row', sql, runs: [values] }).rows[0] ?? null;
}

/** Returns all rows. */
export function* all(sql: Sql, ...values: readonly SqlValue[]): Work<readonly SqlRow[]> {
  return (yield { kind: 'rows', sql, runs: [values] }).rows;
}

/** Returns the number of changed rows. */
export function* change(sql: Sql, ...values: readonly SqlValue[]): Work<number> {
  return (yield { kind: 'change', sql, runs: [values] }).changes;
}

/** Runs `change` with each list of values. Returns the total number of changed rows. */
export function* changeEach(sql: Sql, runs: readonly (readonly SqlValue[])[]): Work<number> {
  return runs.length === 0 ? 0 : (yield { kind: 'change', sql, runs }).changes;
}

/** Returns the `id` of the new row; null if `ON CONFLICT` skipped it. */
export function* insertIfAbsent(sql: Sql, ...values: readonly SqlValue[]): Work<number | null> {
  return (yield { kind: 'insert', sql, runs: [values] }).id;
}

/** Returns the `id` of the new row. Throws `bug` if there is none. */
export function* insert(sql: Sql, ...values: readonly SqlValue[]): Work<number> {
  return present(yield* insertIfAbsent(sql, ...values), 'the ID of a new row');
}
