/** One SQLite file, by the driver that is there. */
import { TsregError } from '../../errors/error.ts';
import type { SqlRow, SqlValue } from './sql-work.ts';
import {
  type DriverConnection,
  type DriverStatement,
  loadSqliteDriver,
  type SqliteDriver,
} from './sqlite-driver.ts';
import { sqliteHint } from './sqlite-errors.ts';
import { requireOwnLogs } from './own-logs.ts';
import { type AgreedJournal, agreeOnJournal, removeJournal, requireNoWal } from './sqlite-journal.ts';
import { WalSync } from './wal-sync.ts';

/** A connection. Everything but waiting for the disk is synchronous, and takes microseconds. */
export interface SqliteDatabase {
  /** Driver, version and, unless that is a write-ahead log, journal: `libsql 3.45.1, journal truncate`. */
  readonly description: string;
  /** Statements without values. */
  exec(sql: string): void;
  /** The first row, or null. */
  get(sql: string, ...values: readonly SqlValue[]): SqlRow | null;
  all(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[];
  run(sql: string, ...values: readonly SqlValue[]): SqlChange;
  /** A `transaction` whose changes, if there are any, survive a power failure once this returns. */
  write<T>(body: () => T): Promise<T>;
  /** Runs `body` with the right to write, which others wait for; what it throws undoes everything. */
  transaction<T>(body: () => T): T;
  close(): void;
}

/** What a statement changed. */
export interface SqlChange {
  readonly changes: number;
  /** Of the row that was inserted last. */
  readonly lastId: number;
}

/** How long to wait for another process that writes. */
const BUSY_TIMEOUT_MS = 30_000;
/** The index files of some ten thousand crates. */
const CACHE_KIB = 64 * 1024;
/** Statements that are kept prepared, more than are in use at a time. */
const MAX_STATEMENTS = 200;

/** How a file is opened. */
export interface SqliteOptions {
  /** False for a copy that nobody else uses: then nothing is kept beside the file. */
  readonly isShared: boolean;
  /** As `loadSqliteDriver` finds it unless given. */
  readonly driver?: SqliteDriver;
}

/**
 * Opens a file, or makes it. Any number of processes may have it open.
 * Throws `config` where there is no driver, and `io` for what is no database or cannot be written.
 */
export async function openSqlite(
  path: string,
  { isShared, driver: given }: SqliteOptions,
): Promise<SqliteDatabase> {
  let database: DriverDatabase | null = null;
  try {
    const driver = given ?? (await loadSqliteDriver());
    requireOwnLogs(path);
    const connection = driver.open(path);
    database = new DriverDatabase(connection, driver);
    // Whatever a file from elsewhere defines is to call no function, and its pages are looked at before they are used.
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
    // An error of the driver as the cause would pass for a fault of this program.
    const reason = error instanceof Error ? error.message : String(error);
    const hint = sqliteHint(reason);
    throw new TsregError(`\`${path}\` cannot be used: ${reason}`, {
      code: 'io',
      ...(hint === null ? {} : { hint }),
    });
  }
}

class DriverDatabase implements SqliteDatabase {
  readonly #driver: DriverConnection;
  readonly #name: string;
  readonly #statements = new Map<string, DriverStatement>();
  #agreed: AgreedJournal | null = null;
  #wal: WalSync | null = null;
  /** Rows that were changed so far, and statements that may have changed some. */
  #changes = 0;

  constructor(driver: DriverConnection, { name, version }: SqliteDriver) {
    this.#driver = driver;
    this.#name = `${name} ${version}`;
  }

  get description(): string {
    const journal = this.#agreed?.journal ?? 'delete';
    return journal === 'wal' ? this.#name : `${this.#name}, journal ${journal}`;
  }

  useJournal(agreed: AgreedJournal, path: string): void {
    this.#agreed = agreed;
    if (agreed.journal === 'wal') this.#wal = new WalSync(`${path}-wal`);
    // A commit to the log does not wait for the disk, which would keep all requests waiting: `write` does.
    this.exec(`PRAGMA synchronous = ${agreed.journal === 'wal' ? 'NORMAL' : 'FULL'}`);
  }

  exec(sql: string): void {
    this.#driver.exec(sql);
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
    this.#driver.exec('BEGIN IMMEDIATE');
    try {
      // A lock is held only where no log may be used: an older program asks for none before it begins one.
      if (this.#agreed?.lock) requireNoWal(this.#driver);
      const result = body();
      this.#driver.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** A transaction that a failed commit left open would take in what comes next, and never keep it. */
  #rollBack(): void {
    try {
      this.#driver.exec('ROLLBACK');
    } catch {
      // After some failures, a full disk among them, SQLite has done so by itself.
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#agreed?.journal === 'truncate') removeJournal(this.#driver);
    this.#driver.close();
    this.#agreed?.lock?.close();
    this.#wal?.close();
  }

  /** The one that was used longest ago makes room. */
  #prepare(sql: string): DriverStatement {
    const statement = this.#statements.get(sql) ?? this.#driver.prepare(sql);
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
