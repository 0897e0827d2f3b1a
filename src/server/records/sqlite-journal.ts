/**
 * The agreement on a journal among all processes that have a file open. A SQLite with the WAL-reset bug (fixed in
 * 3.51.3, 3.50.7 and 3.44.6) must never write to a write-ahead log, but SQLite uses the log as soon as another process
 * has begun one. So each process that must not use a log keeps a second, empty file locked while it has the database
 * open. A process begins a log only if it can lock that file exclusively.
 *
 * | process | lock on the second file | held | excludes |
 * |---|---|---|---|
 * | must not use a log | shared | while the database is open | beginning a log |
 * | must not use a log | reserved, too | while it sets the journal | others that set `truncate`, beginning a log |
 * | may use a log, none begun | exclusive | while it begins the log | all other locks |
 * | may use a log, one begun | none | | |
 *
 * A process that may use a log keeps no lock: SQLite itself switches to a log that another process begins.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TsregError } from '../../core/errors/error.ts';
import type { DriverConnection, SqliteDriver } from './sqlite-driver.ts';

/** The journal of a shared file: a write-ahead log, or a rollback journal. */
export type SharedJournal = 'wal' | 'truncate';

/** A journal, and the lock that keeps other processes from changing it. */
export interface AgreedJournal {
  readonly journal: SharedJournal;
  /** Kept open as long as the database; null if the journal needs no lock. */
  readonly lock: DriverConnection | null;
}

/** Suffix of the lock file, after the path of the database. */
export const LOCK_SUFFIX = '-no-wal';
/** How long to wait for processes that are opening the file, and for short commands. */
const LOCK_TIMEOUT_MS = 5000;
const CONVERT_TIMEOUT_MS = 3000;
/** How long to wait for exclusive access, without which a process can go on. */
const BEGIN_TIMEOUT_MS = 1000;
/** Pause between attempts. */
const PAUSE_MS = 50;
const SAME_NODE =
  'run all processes of a registry with the latest release of Node 22, 24 or newer, or all of them with an older one';

/**
 * Sets the journal of a database that any number of processes share. Throws `io` if the driver must not use a
 * write-ahead log, but another process has the database open with one.
 */
export async function agreeOnJournal(
  connection: DriverConnection,
  { driver, path }: { readonly driver: SqliteDriver; readonly path: string },
): Promise<AgreedJournal> {
  if (!driver.canUseWal) return await refuseWal(connection, { driver, path });
  if (currentJournal(connection) === 'wal') return { journal: 'wal', lock: null };
  const lock = driver.open(path + LOCK_SUFFIX);
  try {
    const isAlone = await retryWhileBusy(BEGIN_TIMEOUT_MS, () => lock.exec('BEGIN EXCLUSIVE'));
    const journal = isAlone || currentJournal(connection) === 'wal' ? 'wal' : 'truncate';
    setJournal(connection, journal);
    return { journal, lock: null };
  } finally {
    lock.close();
  }
}

/** Throws `io` if another program has begun a write-ahead log. Call it for drivers that must not write to one. */
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
 * Removes the empty file that `truncate` leaves next to the database, unless another connection is writing. The lock
 * file stays: a waiting process would otherwise lock a file that others cannot see.
 */
export function removeJournal(connection: DriverConnection): void {
  try {
    connection.exec('PRAGMA busy_timeout = 0');
    connection.prepare('PRAGMA journal_mode = DELETE').get([]);
  } catch {
    // A leftover file does no harm.
  }
}

/** Agrees on `truncate`, and takes the file out of a write-ahead log. Throws `io` if another process uses the log. */
async function refuseWal(
  connection: DriverConnection,
  { driver, path }: { readonly driver: SqliteDriver; readonly path: string },
): Promise<AgreedJournal> {
  const lock = driver.open(path + LOCK_SUFFIX);
  const queue = driver.open(path + LOCK_SUFFIX);
  try {
    lock.exec('BEGIN');
    const canLock =
      (await retryWhileBusy(LOCK_TIMEOUT_MS, () => lock.exec('SELECT 1 FROM sqlite_master'))) &&
      // One process at a time: two that have both read the log would block each other from leaving it.
      (await retryWhileBusy(LOCK_TIMEOUT_MS, () => queue.exec('BEGIN IMMEDIATE')));
    // Leaving a log takes an exclusive lock, which shuts out other users, and moves its content to the file.
    if (canLock && (await retryWhileBusy(CONVERT_TIMEOUT_MS, () => setJournal(connection, 'truncate')))) {
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
    queue.close();
  }
}

/** Repeats `body` until no other connection blocks it. Returns false if one still does after `timeoutMs`. */
async function retryWhileBusy(timeoutMs: number, body: () => void): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  while (!attempt(body)) {
    if (performance.now() >= endMs) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}

/** Returns the current journal mode. SQLite knows it only after it has read the file. */
function currentJournal(connection: DriverConnection): string {
  connection.exec('SELECT 1 FROM sqlite_master LIMIT 1');
  return journalOf(connection.prepare('PRAGMA journal_mode').get([]));
}

/** Throws SQLite's error if another connection blocks the change, as `retryWhileBusy` expects. */
function setJournal(connection: DriverConnection, journal: SharedJournal): void {
  currentJournal(connection);
  const current = journalOf(connection.prepare(`PRAGMA journal_mode = ${journal}`).get([]));
  if (current !== journal) throw new Error(`the journal cannot be changed from ${current} to ${journal}`);
}

function journalOf(row: unknown): string {
  return typeof row === 'object' && row !== null && 'journal_mode' in row ? String(row.journal_mode) : '';
}

/** Returns false if another connection holds a lock. */
function attempt(body: () => void): boolean {
  try {
    body();
    return true;
  } catch (error) {
    if (error instanceof Error && /is locked|busy/.test(error.message)) return false;
    throw error;
  }
}
