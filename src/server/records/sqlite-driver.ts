/** Finds a driver for SQLite, and checks whether its SQLite can use a write-ahead log safely. */
import type LibsqlDatabase from 'libsql';
import { TsregError } from '../../core/errors/error.ts';
import type { SqlValue } from './sql-work.ts';

/** A driver, and its version of SQLite. */
export interface SqliteDriver {
  readonly name: 'node:sqlite' | 'libsql';
  readonly version: string;
  /** False if SQLite can lose commits to a log that two processes use at once. */
  readonly canUseWal: boolean;
  /** Opens a file, or creates it. */
  open(path: string): DriverConnection;
}

/** The common interface of the drivers, with the values of a statement as one list. */
export interface DriverConnection {
  exec(sql: string): unknown;
  prepare(sql: string): DriverStatement;
  close(): unknown;
}

/** A prepared statement. The garbage collector frees it. */
export interface DriverStatement {
  get(values: readonly SqlValue[]): unknown;
  all(values: readonly SqlValue[]): unknown;
  run(values: readonly SqlValue[]): unknown;
}

/** The first release without the WAL-reset bug (sqlite.org/wal.html), and the patch releases that also fixed it. */
const FIXED_SINCE = [3, 51, 3] as const;
const FIXED_LINES: readonly (readonly [major: number, minor: number, patch: number])[] = [
  [3, 50, 7],
  [3, 44, 6],
];

/** Returns Node's own driver, else that of the package `libsql`. Throws `config` if there is neither. */
export async function loadSqliteDriver(): Promise<SqliteDriver> {
  return nodeDriver() ?? (await libsqlDriver());
}

/** Returns Node's own driver; null if this Node has none, or one without full-text search, as before 22.16. */
export function nodeDriver(): SqliteDriver | null {
  const sqlite = withoutSqliteWarning(() => process.getBuiltinModule('node:sqlite'));
  if (sqlite === undefined || !isNodeSqlite(sqlite)) return null;
  const open = (path: string): DriverConnection => {
    const database = new sqlite.DatabaseSync(path);
    // Prevents statements that corrupt the file. Node 22 does not have this method.
    database.enableDefensive?.(true);
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
  };
  return canSearch(open) ? describeDriver('node:sqlite', open) : null;
}

/** Returns true if SQLite has FTS5, which the first schema step needs. */
function canSearch(open: SqliteDriver['open']): boolean {
  const memory = open(':memory:');
  const row = memory.prepare("SELECT 1 WHERE sqlite_compileoption_used('ENABLE_FTS5')").get([]);
  memory.close();
  return row !== undefined;
}

/** Returns the driver of the package `libsql`. Throws `config` if it is not installed. */
export async function libsqlDriver(): Promise<SqliteDriver> {
  let Database: typeof LibsqlDatabase;
  try {
    ({ default: Database } = await import('libsql'));
  } catch (error) {
    // With Node's error as cause, this would look like a bug of tsreg.
    const reason = error instanceof Error ? error.message.replace(/\n.*/s, '') : String(error);
    throw new TsregError(`this Node has no SQLite with full-text search, which a registry needs\n${reason}`, {
      code: 'config',
      hint: 'use Node 22.16 or later, or run `npm install --global libsql`',
    });
  }
  return describeDriver('libsql', (path) => new Database(path));
}

/** Returns false for a version of SQLite with the WAL-reset bug. */
export function canUseWal(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const isAtLeast = ([a, b, c]: readonly [number, number, number]): boolean => {
    if (major !== a) return major > a;
    return minor === b ? patch >= c : minor > b;
  };
  return (
    isAtLeast(FIXED_SINCE) ||
    FIXED_LINES.some((line) => major === line[0] && minor === line[1] && isAtLeast(line))
  );
}

function describeDriver(name: SqliteDriver['name'], open: SqliteDriver['open']): SqliteDriver {
  // Asks SQLite itself, because some builds of Node use the system's library.
  const memory = open(':memory:');
  const row: unknown = memory.prepare('SELECT sqlite_version() AS version').get([]);
  memory.close();
  const hasVersion = typeof row === 'object' && row !== null && 'version' in row;
  const version = hasVersion ? String(row.version) : '';
  return { name, version, canUseWal: canUseWal(version), open };
}

/** The part of `process` that emits warnings, with one signature instead of overloads. */
interface Warner {
  emitWarning: (warning: string | Error, ...rest: never[]) => void;
}

/** Suppresses the warning of Node 22 that its driver is experimental. Node emits it once, on loading. */
function withoutSqliteWarning<T>(load: () => T): T {
  const warner: Warner = process;
  const { emitWarning } = warner;
  warner.emitWarning = (warning, ...rest) => {
    const [kind]: readonly unknown[] = rest;
    const isOfSqlite = kind === 'ExperimentalWarning' && String(warning).startsWith('SQLite ');
    if (!isOfSqlite) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return load();
  } finally {
    warner.emitWarning = emitWarning;
  }
}

/** The used part of `node:sqlite`, which the types of the oldest supported Node lack. */
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
    enableDefensive?(isDefensive: boolean): void;
  };
}

function isNodeSqlite(module: object): module is NodeSqlite {
  return 'DatabaseSync' in module && typeof module.DatabaseSync === 'function';
}
