/**
 * How all processes that have a file open agree on its journal. A SQLite with the WAL-reset bug must never write to a
 * write-ahead log, and SQLite itself takes up the log as soon as another process has begun one. So each process that
 * must not use a log keeps a second, empty file locked for as long as it has the database open, and a log is only begun
 * by a process that can lock that file for itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TsregError } from '../../errors/error.ts';
import type { DriverConnection, SqliteDriver } from './sqlite-driver.ts';

/** The journal of a shared file: a write-ahead log, or a rollback journal. */
export type SharedJournal = 'wal' | 'truncate';

/** A journal, and what keeps others from changing it. */
export interface AgreedJournal {
  readonly journal: SharedJournal;
  /** Held open as long as the database is; null where the mode needs no lock. */
  readonly lock: DriverConnection | null;
}

/** Appended to the path of a database: the file that processes without a log keep locked. */
const LOCK_SUFFIX = '-no-wal';
/** How long to wait for processes that are just opening the file, and for commands that use it for a moment. */
const LOCK_TIMEOUT_MS = 5000;
const CONVERT_TIMEOUT_MS = 3000;
/** How long a process waits that can go on without a log. */
const BEGIN_TIMEOUT_MS = 1000;
const PAUSE_MS = 50;
const SAME_NODE =
  'run all processes of a registry with the latest release of Node 22, 24 or newer, or all of them with an older one';

/**
 * Sets the journal of a database that any number of processes share. Throws `io` where the driver must not use a
 * write-ahead log, and a process has the database open with one.
 */
export async function agreeOnJournal(
  connection: DriverConnection,
  { driver, path }: { readonly driver: SqliteDriver; readonly path: string },
): Promise<AgreedJournal> {
  if (!driver.canUseWal) return await refuseWal(connection, { driver, path });
  if (currentJournal(connection) === 'wal') return { journal: 'wal', lock: null };
  const lock = driver.open(path + LOCK_SUFFIX);
  try {
    const isAlone = await patiently(BEGIN_TIMEOUT_MS, () => lock.exec('BEGIN EXCLUSIVE'));
    const wanted = isAlone || currentJournal(connection) === 'wal' ? 'wal' : 'truncate';
    setJournal(connection, wanted);
    return { journal: wanted, lock: null };
  } finally {
    lock.close();
  }
}

/** Throws `io` if another program has begun a write-ahead log in a file of a driver that must not write to it. */
export function requireNoWal(connection: DriverConnection): void {
  if (currentJournal(connection) !== 'wal') return;
  throw new TsregError(
    'another program has begun a write-ahead log in the database, which this one cannot write to',
    {
      code: 'io',
      hint: SAME_NODE,
    },
  );
}

/**
 * Removes the empty file that `truncate` leaves beside the database. SQLite leaves it where another connection writes just
 * now. The locked file stays: another process may wait for it, and would then lock what nobody else can see.
 */
export function removeJournal(connection: DriverConnection): void {
  try {
    connection.exec('PRAGMA busy_timeout = 0');
    connection.prepare('PRAGMA journal_mode = DELETE').get([]);
  } catch {
    // It does no harm.
  }
}

async function refuseWal(
  connection: DriverConnection,
  { driver, path }: { readonly driver: SqliteDriver; readonly path: string },
): Promise<AgreedJournal> {
  const lock = driver.open(path + LOCK_SUFFIX);
  const turn = driver.open(path + LOCK_SUFFIX);
  try {
    lock.exec('BEGIN');
    const canLock =
      (await patiently(LOCK_TIMEOUT_MS, () => lock.exec('SELECT 1 FROM sqlite_master'))) &&
      // One at a time: two that have both read the log would keep each other from leaving it.
      (await patiently(LOCK_TIMEOUT_MS, () => turn.exec('BEGIN IMMEDIATE')));
    // Leaving a log takes an exclusive lock, so that nobody else uses it meanwhile, and writes all of it to the file.
    if (canLock && (await patiently(CONVERT_TIMEOUT_MS, () => setJournal(connection, 'truncate')))) {
      return { journal: 'truncate', lock };
    }
    throw new TsregError(
      `\`${path}\` is in use with a write-ahead log, which ${driver.name} with SQLite ${driver.version} ` +
        'cannot share without losing data',
      { code: 'io', hint: SAME_NODE },
    );
  } catch (error) {
    lock.close();
    throw error;
  } finally {
    turn.close();
  }
}

/** Runs `body` until no other connection is in its way. False if one still is when the time is over. */
async function patiently(timeoutMs: number, body: () => void): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  while (!attempt(body)) {
    if (performance.now() >= endMs) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}

/** The mode that the file is in, which SQLite knows once it has read it. */
function currentJournal(connection: DriverConnection): string {
  connection.exec('SELECT 1 FROM sqlite_master LIMIT 1');
  return journalOf(connection.prepare('PRAGMA journal_mode').get([]));
}

function setJournal(connection: DriverConnection, journal: SharedJournal): void {
  currentJournal(connection);
  const found = journalOf(connection.prepare(`PRAGMA journal_mode = ${journal}`).get([]));
  if (found !== journal) throw new Error(`the journal cannot be changed from ${found} to ${journal}`);
}

function journalOf(row: unknown): string {
  return typeof row === 'object' && row !== null && 'journal_mode' in row ? String(row.journal_mode) : '';
}

/** False where another connection holds a lock. */
function attempt(body: () => void): boolean {
  try {
    body();
    return true;
  } catch (error) {
    if (error instanceof Error && /is locked|busy/.test(error.message)) return false;
    throw error;
  }
}
