/** One SQLite file, opened with the available driver. */
import { TsregError } from '../../core/errors/error.ts';
import type { SqlRow, SqlValue } from './sql-work.ts';
import {
  type DriverConnection,
  type DriverStatement,
  loadSqliteDriver,
  type SqliteDriver,
} from './sqlite-driver.ts';
import { sqliteHint } from './sqlite-errors.ts';
import { requireOwnJournals } from './own-journals.ts';
import { type AgreedJournal, agreeOnJournal, removeJournal, requireNoWal } from './sqlite-journal.ts';
import { WalSync } from './wal-sync.ts';

/** A connection. All methods but `write` are synchronous and take microseconds. */
export interface SqliteDatabase {
  /** Driver and version, and the journal unless it is a write-ahead log: `libsql 3.45.1, journal truncate`. */
  readonly description: string;
  /** Runs statements without values. */
  exec(sql: string): void;
  /** Returns the first row, or null. */
  get(sql: string, ...values: readonly SqlValue[]): SqlRow | null;
  /** Returns all rows. */
  all(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[];
  /** Runs a statement that changes rows. */
  run(sql: string, ...values: readonly SqlValue[]): SqlChange;
  /** Runs a `transaction`. Its changes, if any, survive a power failure once this returns. */
  write<T>(body: () => T): Promise<T>;
  /** Runs `body` in a transaction that holds the write lock. An error rolls back all changes. */
  transaction<T>(body: () => T): T;
  /** Runs `body`, which only reads, in a transaction, so that it sees no later changes of other processes. */
  moment<T>(body: () => T): T;
  close(): void;
}

/** The result of a statement that changes rows. */
export interface SqlChange {
  readonly changes: number;
  /** `rowid` of the last inserted row. */
  readonly lastId: number;
}

/** How long to wait for another process that holds the write lock. */
const BUSY_TIMEOUT_MS = 30_000;
/** Cache size: enough for the index files of some ten thousand crates. */
const CACHE_KIB = 64 * 1024;
/** Number of prepared statements to cache: more than are in use at a time. */
const MAX_STATEMENTS = 200;

/** Options for opening a file. */
export interface SqliteOptions {
  /** False for a private copy: SQLite then leaves no files next to it. */
  readonly isShared: boolean;
  /** By default, the driver that `loadSqliteDriver` returns. */
  readonly driver?: SqliteDriver;
}

/**
 * Opens a file, or creates it. Any number of processes may have it open. Throws `config` if there is no driver or as
 * `requireOwnJournals` does, and `io` if the file is not a database or cannot be used.
 */
export async function openSqlite(
  path: string,
  { isShared, driver: chosenDriver }: SqliteOptions,
): Promise<SqliteDatabase> {
  let database: DriverDatabase | null = null;
  try {
    const driver = chosenDriver ?? (await loadSqliteDriver());
    requireOwnJournals(path);
    const connection = driver.open(path);
    database = new DriverDatabase(connection, driver);
    // A file from elsewhere must not call functions through its schema, and its pages are checked before use.
    database.exec(
      'PRAGMA trusted_schema = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA cell_size_check = ON',
    );
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (isShared) database.useJournal(await agreeOnJournal(connection, { driver, path }), path);
    else database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL');
    database.exec('PRAGMA foreign_keys = ON');
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof TsregError) throw error;
    // With the driver's error as cause, this would look like a bug of tsreg.
    const reason = error instanceof Error ? error.message : String(error);
    const hint = sqliteHint(reason);
    throw new TsregError(`\`${path}\` cannot be used: ${reason}`, {
      code: 'io',
      ...(hint === null ? {} : { hint }),
    });
  }
}

/** A connection with cached statements, for either driver. */
class DriverDatabase implements SqliteDatabase {
  readonly #connection: DriverConnection;
  readonly #driverName: string;
  readonly #statements = new Map<string, DriverStatement>();
  /** null for a file that is not shared. */
  #agreement: AgreedJournal | null = null;
  /** null unless the journal is a write-ahead log. */
  #wal: WalSync | null = null;
  /** Number of rows changed by `run`, plus calls of `exec`, which may have changed some. */
  #changes = 0;

  constructor(connection: DriverConnection, { name, version }: SqliteDriver) {
    this.#connection = connection;
    this.#driverName = `${name} ${version}`;
  }

  get description(): string {
    const journal = this.#agreement?.journal ?? 'delete';
    return journal === 'wal' ? this.#driverName : `${this.#driverName}, journal ${journal}`;
  }

  /** Applies the agreement on the journal of the shared file at `path`. Call it once, before any change. */
  useJournal(agreed: AgreedJournal, path: string): void {
    this.#agreement = agreed;
    if (agreed.journal === 'wal') this.#wal = new WalSync(`${path}-wal`);
    // With a log, a commit does not sync, which would block all requests: `write` syncs later.
    this.exec(`PRAGMA synchronous = ${agreed.journal === 'wal' ? 'NORMAL' : 'FULL'}`);
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
    this.#changes += 1;
  }

  get(sql: string, ...values: readonly SqlValue[]): SqlRow | null {
    const row = this.#prepare(sql).get(values);
    return row === undefined || row === null ? null : asRow(row);
  }

  all(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] {
    const rows = this.#prepare(sql).all(values);
    if (!Array.isArray(rows)) throw new TsregError('the database gave no rows', { code: 'bug' });
    return rows.map(asRow);
  }

  run(sql: string, ...values: readonly SqlValue[]): SqlChange {
    const { changes, lastInsertRowid } = asRow(this.#prepare(sql).run(values));
    this.#changes += Number(changes);
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  }

  async write<T>(body: () => T): Promise<T> {
    const before = this.#changes;
    const result = this.transaction(body);
    if (this.#changes !== before) await this.#wal?.sync();
    return result;
  }

  transaction<T>(body: () => T): T {
    return this.#within('BEGIN IMMEDIATE', () => {
      // The lock exists only if no log may be used, but an older release begins one without asking for the lock.
      if (this.#agreement?.lock) requireNoWal(this.#connection);
      return body();
    });
  }

  moment<T>(body: () => T): T {
    return this.#within('BEGIN', body);
  }

  #within<T>(begin: string, body: () => T): T {
    this.#connection.exec(begin);
    try {
      const result = body();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** Rolls back. A transaction left open by a failed commit would absorb later changes and never commit them. */
  #rollBack(): void {
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // After some failures, such as a full disk, SQLite has already rolled back.
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#agreement?.journal === 'truncate') removeJournal(this.#connection);
    this.#connection.close();
    this.#agreement?.lock?.close();
    this.#wal?.close();
  }

  /** Returns a cached or new statement. Evicts the least recently used one if the cache is full. */
  #prepare(sql: string): DriverStatement {
    const statement = this.#statements.get(sql) ?? this.#connection.prepare(sql);
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > MAX_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
    return statement;
  }
}

function asRow(value: unknown): SqlRow {
  if (!isRow(value)) throw new TsregError('the database gave no row', { code: 'bug' });
  return value;
}

function isRow(value: unknown): value is SqlRow {
  return typeof value === 'object' && value !== null;
}
