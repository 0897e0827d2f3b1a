/**
 * What is done with records, apart from who does it: a `Work` yields statements and is handed what they led to. So
 * one text serves a database that answers at once and one that is far away.
 */
import { TsregError } from '../../errors/error.ts';

/** What can be bound to a `?`. */
export type SqlValue = string | number | null | Uint8Array;
/** A row by its columns. */
export type SqlRow = Readonly<Record<string, unknown>>;
/** The kinds of databases, which do not say everything in the same way. */
export type SqlDialect = 'sqlite' | 'postgres';

/** A statement whose values stand as `?`, or as `?1`, `?2`, … where one stands several times. */
export interface SqlStatement {
  /** What is wanted of it: the first row, all rows, how many rows it changed, or the `id` of the row that it inserted. */
  readonly kind: 'row' | 'rows' | 'change' | 'insert';
  /** In both dialects, or in each; null where one has nothing to do. */
  readonly sql: string | Readonly<Record<SqlDialect, string | null>>;
  /** The statement is run once with each of these. */
  readonly runs: readonly (readonly SqlValue[])[];
}

/** What the last run of a statement led to. */
export interface SqlResult {
  readonly rows: readonly SqlRow[];
  /** Rows that all runs changed. */
  readonly changes: number;
  /** null where nothing was inserted. */
  readonly id: number | null;
}

/** Statements that lead to a value. It may be begun anew: nothing but the database may be changed in it. */
export type Work<T> = Generator<SqlStatement, T, SqlResult>;

/** How statements are planned, where the database would not see it by itself. */
export interface ReadOptions {
  /** Once for all values, crate by crate as they are found, with the indexes that are made for it. */
  readonly plan: 'by-indexes';
}

/** Does work. What fails leaves nothing behind. */
export interface SqlDatabase {
  readonly dialect: SqlDialect;
  /** Only reads. Each statement sees what was committed before it. */
  read<T>(work: () => Work<T>): Promise<T>;
  /** Only reads, and all statements see the same moment. */
  readMoment<T>(work: () => Work<T>, options?: ReadOptions): Promise<T>;
  /** A transaction whose changes survive a power failure once this returns. */
  write<T>(work: () => Work<T>): Promise<T>;
  /** As `write`, for what may be lost in a power failure. */
  note<T>(work: () => Work<T>): Promise<T>;
}

type Sql = SqlStatement['sql'];

/** The first row, or null. */
export function* one(sql: Sql, ...values: readonly SqlValue[]): Work<SqlRow | null> {
  return (yield { kind: 'row', sql, runs: [values] }).rows[0] ?? null;
}

/** All rows. */
export function* all(sql: Sql, ...values: readonly SqlValue[]): Work<readonly SqlRow[]> {
  return (yield { kind: 'rows', sql, runs: [values] }).rows;
}

/** Returns how many rows were changed. */
export function* change(sql: Sql, ...values: readonly SqlValue[]): Work<number> {
  return (yield { kind: 'change', sql, runs: [values] }).changes;
}

/** `change` with each of several lists of values. */
export function* changeEach(sql: Sql, runs: readonly (readonly SqlValue[])[]): Work<number> {
  return runs.length === 0 ? 0 : (yield { kind: 'change', sql, runs }).changes;
}

/** Returns the `id` of the row, null where `ON CONFLICT` has it do nothing. */
export function* insertIfAbsent(sql: Sql, ...values: readonly SqlValue[]): Work<number | null> {
  return (yield { kind: 'insert', sql, runs: [values] }).id;
}

/** Returns the `id` of the row. */
export function* insert(sql: Sql, ...values: readonly SqlValue[]): Work<number> {
  const id = yield* insertIfAbsent(sql, ...values);
  if (id === null) throw new TsregError('a new row is not there', { code: 'bug' });
  return id;
}
