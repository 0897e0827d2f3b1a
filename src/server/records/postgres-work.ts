/** Work in a PostgreSQL database. `scripts/with-stores.mjs` starts a server for its tests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { asDatabaseError, isConflict, isLost } from './postgres-errors.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { integer, text } from './row.ts';
import { NoLongerAllowed } from './authorize.ts';
import { ReadOnlyRecords } from './read-only.ts';
import type { ReadOptions, SqlDatabase, SqlResult, SqlStatement, Work } from './sql-work.ts';

/** Pauses between the attempts of a write: a restarting server is back within seconds. */
const WRITE_PAUSES_MS = [20, 100, 300, 1000];
/** Pauses between the attempts of a read. Few suffice, because the client can repeat it. */
const READ_PAUSES_MS = [20];
/** Number of checks whether a commit took effect. */
const OUTCOME_ATTEMPTS = 20;
const OUTCOME_PAUSE_MS = 500;

/** Begins a transaction that sees one moment. */
export const BEGIN_READ_MOMENT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const BEGIN_WRITE = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';
/** Compiling a plan or starting parallel workers takes longer than running it. */
const NO_JIT_OR_WORKERS = 'SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0';
/**
 * Forces index lookups. Hash tables would be sized for the number of rows that an unknown word might have. If it has
 * few, building them would take longer than everything else.
 */
const PLANS: Readonly<Record<ReadOptions['plan'], string>> = {
  'by-indexes': `SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off;
    SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_hashagg = off; ${NO_JIT_OR_WORKERS}`,
};
const BEGIN_UNSYNCED_WRITE = `${BEGIN_WRITE}; SET LOCAL synchronous_commit = off`;

/** Runs work in a PostgreSQL database. Throws `network` if it is unreachable or no connection is free in time. */
export function postgresWork(pool: PostgresPool): SqlDatabase {
  return {
    dialect: 'postgres',
    read: (work) =>
      retrying(pool, READ_PAUSES_MS, () => pool.use((connection) => doWork(connection, work()))),
    readMoment(work, options) {
      const begin =
        options === undefined ? BEGIN_READ_MOMENT : `${BEGIN_READ_MOMENT}; ${PLANS[options.plan]}`;
      return retrying(pool, READ_PAUSES_MS, () =>
        pool.use((connection) => inTransaction(connection, begin, () => doWork(connection, work()))),
      );
    },
    write: (work) => write(pool, work),
    // Unlike `write`, also repeats work whose commit is unconfirmed, so its changes may apply twice.
    writeUnsynced: (work) =>
      retrying(pool, WRITE_PAUSES_MS, () =>
        pool.use((connection) =>
          inTransaction(connection, BEGIN_UNSYNCED_WRITE, () => doWork(connection, work())),
        ),
      ),
  };
}

/** Runs work on a connection, within a transaction or outside of one. */
async function doWork<T>(connection: PostgresConnection, work: Work<T>): Promise<T> {
  let step = work.next();
  while (step.done !== true) step = work.next(await run(connection, step.value));
  return step.value;
}

/** Runs `body` in a transaction that begins with `begin`. An error rolls back all of it. */
export async function inTransaction<T>(
  connection: PostgresConnection,
  begin: string,
  body: () => Promise<T>,
): Promise<T> {
  const result = await withRollback(connection, begin, body);
  await connection.exec('COMMIT');
  return result;
}

/** Begins a transaction and runs `body`. An error rolls back the transaction; otherwise the caller must commit it. */
async function withRollback<T>(
  connection: PostgresConnection,
  begin: string,
  body: () => Promise<T>,
): Promise<T> {
  try {
    await connection.exec(begin);
    return await body();
  } catch (error) {
    // If rollback fails, no other caller may get this connection.
    await connection.exec('ROLLBACK').catch(() => connection.end());
    throw error;
  }
}

/**
 * Runs work in a transaction. Repeats it only if it was certainly rolled back: if the server did not confirm the
 * commit, asks the server about the transaction. Throws `io` if the outcome stays unknown.
 */
async function write<T>(pool: PostgresPool, work: () => Work<T>): Promise<T> {
  return await retrying(pool, WRITE_PAUSES_MS, async () => {
    const attempt = await pool.use((connection) => tryToCommit(connection, work));
    if (attempt.unconfirmed === null) return attempt.result;
    const isCommitted = await findOutcome(pool, attempt.transactionId);
    if (isCommitted === true) return attempt.result;
    if (isCommitted === false) throw attempt.unconfirmed;
    throw new TsregError(
      'the connection to the database was lost during the commit: it is unknown whether the change was saved',
      {
        code: 'io',
      },
    );
  });
}

/** An attempt to commit the changes of some work. */
interface CommitAttempt<T> {
  /** The value that the work returned. */
  readonly result: T;
  /** PostgreSQL's ID of the transaction, to ask for its outcome. */
  readonly transactionId: string;
  /** The error of an unconfirmed commit; null if it was confirmed. */
  readonly unconfirmed: unknown;
}

/** Runs work in a transaction and commits it. Throws if it was certainly rolled back. */
async function tryToCommit<T>(
  connection: PostgresConnection,
  work: () => Work<T>,
): Promise<CommitAttempt<T>> {
  let transactionId = '';
  const result = await withRollback(connection, BEGIN_WRITE, async () => {
    const { rows } = await connection.query('SELECT CAST(txid_current() AS TEXT) AS id');
    transactionId = text(present(rows[0], 'the ID of a transaction'), 'id');
    return await doWork(connection, work());
  });
  try {
    await connection.exec('COMMIT');
    return { result, transactionId, unconfirmed: null };
  } catch (error) {
    if (!isLost(error)) throw error;
    return { result, transactionId, unconfirmed: error };
  }
}

/**
 * Asks the server about a transaction. Returns true if it was committed, false if it was rolled back, null if this
 * cannot be determined.
 */
async function findOutcome(pool: PostgresPool, transactionId: string): Promise<boolean | null> {
  const sql = 'SELECT txid_status(CAST($1 AS BIGINT)) AS status';
  for (let attempt = 0; attempt < OUTCOME_ATTEMPTS; attempt += 1) {
    try {
      const { rows } = await pool.use((connection) => connection.query(sql, [transactionId]));
      const status = rows[0]?.['status'];
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
      if (status !== 'in progress') return null;
    } catch (error) {
      if (!isLost(error)) return null;
    }
    await sleep(OUTCOME_PAUSE_MS);
  }
  return null;
}

/** Repeats `body` after temporary failures, once after each pause. Throws what `asDatabaseError` returns. */
async function retrying<T>(
  pool: PostgresPool,
  pausesMs: readonly number[],
  body: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await body();
    } catch (error) {
      const pauseMs = isLost(error) || isConflict(error) ? pausesMs[attempt] : undefined;
      const reason = asDatabaseError(error);
      // A rejected change is not a failure of the database.
      if (!(reason instanceof ReadOnlyRecords || reason instanceof NoLongerAllowed))
        pool.noteFailure({ isRepeated: pauseMs !== undefined });
      if (pauseMs === undefined) throw reason;
      // The random factor keeps failed clients from retrying at the same moment.
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
}

/** The result of a statement that this dialect does not need. */
const NOTHING: SqlResult = { rows: [], changes: 0, id: null };

async function run(connection: PostgresConnection, { kind, sql, runs }: SqlStatement): Promise<SqlResult> {
  const original = typeof sql === 'string' ? sql : sql.postgres;
  if (original === null) return NOTHING;
  const statement = asPostgresPlaceholders(kind === 'insert' ? `${original} RETURNING id` : original);
  // Sends all runs before the first result arrives.
  const results = await Promise.all(runs.map((values) => connection.query(statement, values)));
  const { rows } = present(results.at(-1), 'the result of a statement');
  const changes = results.reduce((sum, { count }) => sum + count, 0);
  if (kind !== 'insert') return { rows, changes, id: null };
  const [inserted] = rows;
  return { rows: [], changes, id: inserted === undefined ? null : integer(inserted, 'id') };
}

/**
 * Replaces `?1`, and the first `?` without a number, with PostgreSQL's `$1`, and so on. `sql` must not mix both forms,
 * and must contain no other `?`, not even in a string.
 */
function asPostgresPlaceholders(sql: string): string {
  let number = 0;
  return sql.replaceAll(/\?(\d*)/g, (_, valueNumber: string) => {
    number += 1;
    return `$${valueNumber === '' ? number : valueNumber}`;
  });
}
