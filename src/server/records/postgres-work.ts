import { setTimeout as sleep } from 'node:timers/promises';
import { TsregError } from '../../errors/error.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { asDatabaseError, isConflict, isLost } from './postgres-errors.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { text } from './row.ts';
import { NoLongerAllowed } from './authorize.ts';
import { SealedRecords } from './seal.ts';
import type { ReadOptions, SqlDatabase, SqlResult, SqlStatement, Work } from './sql-work.ts';

/** How long before each further attempt: a server that restarts is back within seconds. */
const BACK_OFF_MS = [20, 100, 300, 1000, 2000];
/** A read is tried once more, on a connection of its own: whoever asks can ask again. */
const READ_ATTEMPTS = 2;
/** How often to ask what became of a commit. */
const OUTCOME_ATTEMPTS = 20;
const OUTCOME_PAUSE_MS = 500;

/** Begins a transaction that sees one moment. */
export const READ_MOMENT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const WRITE = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';
/** To compile a plan, or to start processes for it, takes longer than to follow it. */
const ALONE = 'SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0';
/**
 * By indexes nothing is looked up in tables that are made first: they would be made for as many rows as an unknown word
 * might have, which takes longer than all the rest where it has few.
 */
const PLANS: Readonly<Record<ReadOptions['plan'], string>> = {
  'by-indexes': `SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off;
    SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_hashagg = off; ${ALONE}`,
};
const NOTE = `${WRITE}; SET LOCAL synchronous_commit = off`;

/** Does work in a PostgreSQL database. Throws `network` while that is away, and where too many ask. */
export function postgresWork(pool: PostgresPool): SqlDatabase {
  return {
    dialect: 'postgres',
    read: (work) => retrying(pool, READ_ATTEMPTS, () => pool.use((connection) => doWork(connection, work()))),
    readMoment(work, options) {
      const begin = options === undefined ? READ_MOMENT : `${READ_MOMENT}; ${PLANS[options.plan]}`;
      return retrying(pool, READ_ATTEMPTS, () =>
        pool.use((connection) => inTransaction(connection, begin, () => doWork(connection, work()))),
      );
    },
    write: (work) => write(pool, work),
    note: (work) =>
      retrying(pool, BACK_OFF_MS.length, () =>
        pool.use((connection) => inTransaction(connection, NOTE, () => doWork(connection, work()))),
      ),
  };
}

/** Does work on a connection, within a transaction or outside of any. */
async function doWork<T>(connection: PostgresConnection, work: Work<T>): Promise<T> {
  let step = work.next();
  while (step.done !== true) step = work.next(await run(connection, step.value));
  return step.value;
}

/** Runs `body` in a transaction that begins with `begin`. What is thrown undoes all of it. */
export async function inTransaction<T>(
  connection: PostgresConnection,
  begin: string,
  body: () => Promise<T>,
): Promise<T> {
  const result = await begun(connection, begin, body);
  await connection.exec('COMMIT');
  return result;
}

async function begun<T>(connection: PostgresConnection, begin: string, body: () => Promise<T>): Promise<T> {
  try {
    await connection.exec(begin);
    return await body();
  } catch (error) {
    // A connection that cannot even do this must not go to anybody else.
    await connection.exec('ROLLBACK').catch(() => connection.end());
    throw error;
  }
}

/**
 * A transaction that is repeated only where it is certain that it was undone: where its commit was not answered, the
 * server is asked what became of it.
 */
async function write<T>(pool: PostgresPool, work: () => Work<T>): Promise<T> {
  return await retrying(pool, BACK_OFF_MS.length, async () => {
    const attempt = await pool.use((connection) => tryToCommit(connection, work));
    if (attempt.unanswered === null) return attempt.result;
    const isCommitted = await findOutcome(pool, attempt.transaction);
    if (isCommitted === true) return attempt.result;
    if (isCommitted === false) throw attempt.unanswered;
    throw new TsregError(
      'the connection to the database was lost during the commit: it is unknown whether the change was saved',
      {
        code: 'io',
      },
    );
  });
}

interface Attempt<T> {
  readonly result: T;
  readonly transaction: string;
  /** Why the commit was not answered; null if it was. */
  readonly unanswered: unknown;
}

async function tryToCommit<T>(connection: PostgresConnection, work: () => Work<T>): Promise<Attempt<T>> {
  let transaction = '';
  const result = await begun(connection, WRITE, async () => {
    const { rows } = await connection.query('SELECT CAST(txid_current() AS TEXT) AS id');
    transaction = rows[0] === undefined ? '' : text(rows[0], 'id');
    return await doWork(connection, work());
  });
  try {
    await connection.exec('COMMIT');
    return { result, transaction, unanswered: null };
  } catch (error) {
    if (!isLost(error)) throw error;
    return { result, transaction, unanswered: error };
  }
}

/** Whether a transaction was committed; null if that cannot be found out. */
async function findOutcome(pool: PostgresPool, transaction: string): Promise<boolean | null> {
  const sql = 'SELECT txid_status(CAST($1 AS BIGINT)) AS status';
  for (let attempt = 0; attempt < OUTCOME_ATTEMPTS; attempt += 1) {
    try {
      const { rows } = await pool.use((connection) => connection.query(sql, [transaction]));
      const status = rows[0]?.['status'];
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
      if (status !== 'in progress') return null;
    } catch (error) {
      if (!isLost(error)) throw error;
    }
    await sleep(OUTCOME_PAUSE_MS);
  }
  return null;
}

/** Repeats what was undone for a reason that may pass. */
async function retrying<T>(pool: PostgresPool, maxAttempts: number, body: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await body();
    } catch (error) {
      const mayPass = isLost(error) || isConflict(error);
      const isRepeated = mayPass && attempt < maxAttempts;
      const reason = asDatabaseError(error);
      // A refusal is no failure of the database.
      if (!(reason instanceof SealedRecords || reason instanceof NoLongerAllowed))
        pool.noteFailure({ isRepeated });
      if (!isRepeated) throw reason;
      // Those who failed together do not come back together.
      await sleep((BACK_OFF_MS[attempt - 1] ?? 0) * (0.5 + Math.random()));
    }
  }
}

const NOTHING: SqlResult = { rows: [], changes: 0, id: null };

async function run(connection: PostgresConnection, { kind, sql, runs }: SqlStatement): Promise<SqlResult> {
  const original = typeof sql === 'string' ? sql : sql.postgres;
  if (original === null) return NOTHING;
  const statement = withNumbers(kind === 'insert' ? `${original} RETURNING id` : original);
  // All are on the way before the first is answered.
  const results = await Promise.all(runs.map((values) => connection.query(statement, values)));
  const rows = results.at(-1)?.rows ?? [];
  const id = kind === 'insert' ? Number(rows[0]?.['id'] ?? Number.NaN) : Number.NaN;
  return {
    rows: kind === 'insert' ? [] : rows,
    changes: results.reduce((sum, { count }) => sum + count, 0),
    id: Number.isNaN(id) ? null : id,
  };
}

/** PostgreSQL writes `$1` for `?1`, and for the first `?`. */
function withNumbers(sql: string): string {
  let number = 0;
  return sql.replaceAll(/\?(\d*)/g, (_, given: string) => {
    number += 1;
    return `$${given === '' ? number : given}`;
  });
}
