/** One SQLite file, by the driver that is there. */
import type LibsqlDatabase from 'libsql';
import { TsregError } from '../../errors/error.ts';
import type { SqlRow, SqlValue } from './sql-work.ts';
import { sqliteHint } from './sqlite-errors.ts';
import { WalSync } from './wal-sync.ts';

/** A connection. Everything but waiting for the disk is synchronous, and takes microseconds. */
export interface SqliteDatabase {
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
/** From here on Node's own driver prints no warning that it is an experiment. */
const FIRST_NODE_WITH_DRIVER = 24;

/** How a file is opened. */
export interface SqliteOptions {
  /** False for a copy that nobody else uses: then nothing is kept beside the file. */
  readonly isShared: boolean;
}

/**
 * Opens a file, or makes it. Any number of processes may have it open.
 * Throws `config` where there is no driver, and `io` for what is no database or cannot be written.
 */
export async function openSqlite(path: string, { isShared }: SqliteOptions): Promise<SqliteDatabase> {
  let database: DriverDatabase | null = null;
  try {
    const wal = isShared ? new WalSync(`${path}-wal`) : null;
    database = new DriverDatabase(openByNode(path) ?? (await openByLibsql(path)), wal);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.exec(`PRAGMA journal_mode = ${isShared ? 'WAL' : 'DELETE'}`);
    // A commit to the log does not wait for the disk, which would keep all requests waiting: `write` does.
    database.exec(`PRAGMA synchronous = ${isShared ? 'NORMAL' : 'FULL'}`);
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

/** What the drivers have in common, once a statement is given its values as one list. */
interface Driver {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

interface Statement {
  get(values: readonly SqlValue[]): unknown;
  all(values: readonly SqlValue[]): unknown;
  run(values: readonly SqlValue[]): unknown;
}

class DriverDatabase implements SqliteDatabase {
  readonly #driver: Driver;
  readonly #wal: WalSync | null;
  readonly #statements = new Map<string, Statement>();
  /** Rows that were changed so far, and statements that may have changed some. */
  #changes = 0;

  constructor(driver: Driver, wal: WalSync | null) {
    this.#driver = driver;
    this.#wal = wal;
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
    this.#driver.close();
    this.#wal?.close();
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#driver.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void;
    prepare(sql: string): {
      get(...values: SqlValue[]): unknown;
      all(...values: SqlValue[]): unknown;
      run(...values: SqlValue[]): unknown;
    };
    close(): void;
  };
}

function openByNode(path: string): Driver | null {
  if (Number.parseInt(process.versions.node, 10) < FIRST_NODE_WITH_DRIVER) return null;
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined || !isNodeSqlite(sqlite)) return null;
  const database = new sqlite.DatabaseSync(path);
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        get: (values) => statement.get(...values),
        all: (values) => statement.all(...values),
        run: (values) => statement.run(...values),
      };
    },
    close: () => database.close(),
  };
}

async function openByLibsql(path: string): Promise<Driver> {
  let Database: typeof LibsqlDatabase;
  try {
    ({ default: Database } = await import('libsql'));
  } catch (error) {
    // An error of Node as the cause would pass for a fault of this program.
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new TsregError(
      'a registry needs SQLite, which comes with Node 24 and newer, or with the optional package `libsql`: ' +
        `install that beside tsreg (\`npm install libsql\`), or use a newer Node\n${reason}`,
      { code: 'config' },
    );
  }
  return new Database(path);
}

function isNodeSqlite(module: object): module is NodeSqlite {
  return 'DatabaseSync' in module && typeof module.DatabaseSync === 'function';
}

function asRow(value: unknown): SqlRow {
  if (!isRow(value)) throw new TsregError('the database gave no row', { code: 'bug' });
  return value;
}

function isRow(value: unknown): value is SqlRow {
  return typeof value === 'object' && value !== null;
}
