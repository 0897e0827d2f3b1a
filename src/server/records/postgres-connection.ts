/** One connection to a PostgreSQL server. */
import type { Writable } from 'node:stream';
import type postgres from 'postgres';
import { TsregError } from '../../errors/error.ts';
import { isLost } from './postgres-errors.ts';
import { ConnectionLost, openSocket, serverAddresses } from './postgres-socket.ts';
import type { SqlRow, SqlValue } from './sql-work.ts';

/** What a statement led to. */
export interface PostgresResult {
  readonly rows: readonly SqlRow[];
  /** Rows that it changed or found. */
  readonly count: number;
}

/** The database keeps what is prepared, some 20 kB each, and searches have thousands of forms. */
const MAX_PREPARED = 300;
const CONNECT_TIMEOUT_SECONDS = 5;
/** What the driver is told instead of the servers, which it would try again and again. */
const NO_HOST = 'database';
/** What the server allows a statement, a lock, and a transaction that says nothing. */
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;
/** A server that is out of reach cannot keep its own limit. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;

/** Integers of all sizes are numbers: none in records is greater than those are exact. */
const INTEGERS = { to: 20, from: [20], parse: Number, serialize: String };

/** How a connection is used. */
export interface ConnectionOptions {
  /** True for statements that may take as long as they need. */
  readonly isPatient: boolean;
}

/** Makes connections to one database. */
export type Connect = (options: ConnectionOptions) => PostgresConnection;

/** Loads the driver. Throws `config` for what is no address of a database. */
export async function connector(url: string): Promise<Connect> {
  const { default: open } = await import('postgres');
  const connect: Connect = (options) => new PostgresConnection(open, url, options);
  try {
    // Nothing is connected before the first statement.
    await connect({ isPatient: false }).end();
  } catch {
    // Not what the driver says: the address has a password.
    throw new TsregError('the address of the database cannot be used: expected `postgres://USER@HOST/NAME`', {
      code: 'config',
      hint: 'write `%`, `@`, `/` and `:` in user and password as `%25`, `%40`, `%2F` and `%3A`',
    });
  }
  return connect;
}

/**
 * A connection that is never opened again: what was lost with it, a transaction for example, is lost for good. It
 * connects with the first statement. Statements run in the order in which they are given.
 */
export class PostgresConnection {
  readonly #sql: postgres.Sql<{ bigint: number }>;
  readonly #isPatient: boolean;
  #isLost = false;
  readonly #prepared = new Set<string>();

  constructor(open: typeof postgres, url: string, { isPatient }: ConnectionOptions) {
    this.#isPatient = isPatient;
    const servers = serverAddresses(url);
    let isOpened = false;
    let failure: unknown = new ConnectionLost('the server has closed the connection');
    const options = {
      host: NO_HOST,
      async socket() {
        // The driver asks for another one, and tells of what it gets then.
        if (isOpened) throw failure;
        isOpened = true;
        try {
          return await openSocket(servers, CONNECT_TIMEOUT_SECONDS * 1000);
        } catch (error) {
          failure = error;
          throw error;
        }
      },
      max: 1,
      fetch_types: false,
      // Of the driver, which is to learn of each server and of what that says then.
      connect_timeout: CONNECT_TIMEOUT_SECONDS * (servers.length + 1),
      idle_timeout: 0,
      max_lifetime: null,
      types: { bigint: INTEGERS },
      connection: {
        application_name: 'tsreg',
        statement_timeout: isPatient ? 0 : STATEMENT_TIMEOUT_MS,
        lock_timeout: LOCK_TIMEOUT_MS,
        idle_in_transaction_session_timeout: isPatient ? 0 : IDLE_TRANSACTION_TIMEOUT_MS,
      },
      onnotice: () => undefined,
      onclose: () => {
        this.#isLost = true;
      },
    };
    this.#sql = open(url, options);
  }

  /** True once nothing more can be done with it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** One statement, which is prepared once unless very many others are; values stand as `$1`, `$2`, …. */
  async query(sql: string, values: readonly SqlValue[] = []): Promise<PostgresResult> {
    const isPrepared = this.#prepared.has(sql);
    const prepare = isPrepared || this.#prepared.size < MAX_PREPARED;
    if (prepare && !isPrepared) this.#prepared.add(sql);
    return await this.#answer(this.#sql.unsafe(sql, values.map(withoutNul), { prepare }));
  }

  /** Statements without values. */
  async exec(sql: string): Promise<void> {
    await this.#answer(this.#sql.unsafe(sql));
  }

  /** Rows of a query in parts of `count`, however long it takes. */
  async *parts(sql: string, count: number): AsyncGenerator<readonly SqlRow[]> {
    this.#requireOpen();
    for await (const rows of this.#sql.unsafe(sql).cursor(count)) yield rows;
  }

  /** What takes the data of a `COPY … FROM STDIN`. */
  async copyIn(sql: string): Promise<Writable> {
    this.#requireOpen();
    return await this.#sql.unsafe(sql).writable();
  }

  /** Ends it at once, whatever it does. */
  async end(): Promise<void> {
    this.#isLost = true;
    await this.#sql.end({ timeout: 0 });
  }

  async #answer(query: postgres.PendingQuery<postgres.Row[]>): Promise<PostgresResult> {
    this.#requireOpen();
    const timer = this.#isPatient ? undefined : setTimeout(() => void this.end(), ANSWER_TIMEOUT_MS);
    try {
      const rows = await query;
      return { rows, count: rows.count };
    } catch (error) {
      // The driver would open it again, without the transaction that was lost with it.
      if (isLost(error)) this.#isLost = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #requireOpen(): void {
    if (this.#isLost) throw new ConnectionLost('the connection was lost before');
  }
}

/** PostgreSQL has no character 0 in texts: like other characters that there are none of it becomes U+FFFD. */
function withoutNul(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{fffd}') : value;
}
