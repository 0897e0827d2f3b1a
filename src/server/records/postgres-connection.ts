/** One connection to a PostgreSQL server. */
import type { Writable } from 'node:stream';
import type postgres from 'postgres';
import { TsregError } from '../../core/errors/error.ts';
import { isLost } from './postgres-errors.ts';
import { ConnectionLost, openSocket, serverAddresses } from './postgres-socket.ts';
import type { SqlRow, SqlValue } from './sql-work.ts';

/** The result of a statement. */
export interface PostgresResult {
  readonly rows: readonly SqlRow[];
  /** Number of rows that it changed or found. */
  readonly count: number;
}

/** Limit of prepared statements. Each takes about 20 kB in the database, and searches have thousands of forms. */
const MAX_PREPARED = 300;
const CONNECT_TIMEOUT_SECONDS = 5;
/** A placeholder for the host. The driver would retry real servers again and again. */
const NO_HOST = 'database';
/** Limits that the server applies to a statement, to waiting for a lock, and to an idle transaction. */
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;
/** A limit of the client, because an unreachable server cannot enforce its own. */
const RESPONSE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;

/** Reads 64-bit integers (type 20, `int8`) as numbers: all values in records are small enough to be exact. */
const INTEGERS = { to: 20, from: [20], parse: Number, serialize: String };

/** The use of a connection. */
export interface ConnectionOptions {
  /** True if statements may take as long as they need. */
  readonly hasNoTimeouts: boolean;
}

/** Creates connections to one database. */
export type Connect = (options: ConnectionOptions) => PostgresConnection;

/** Loads the driver and returns a function that connects to `url`. Throws `config` if `url` is invalid. */
export async function connector(url: string): Promise<Connect> {
  const { default: open } = await import('postgres');
  const connect: Connect = (options) => new PostgresConnection(open, url, options);
  try {
    // Does not connect: that happens with the first statement.
    await connect({ hasNoTimeouts: false }).end();
  } catch {
    // The driver's message could contain the password of the address.
    throw new TsregError('the address of the database cannot be used: expected `postgres://USER@HOST/NAME`', {
      code: 'config',
      hint: 'write `%`, `@`, `/` and `:` in user and password as `%25`, `%40`, `%2F` and `%3A`',
    });
  }
  return connect;
}

/**
 * A connection that never reconnects: after a loss, its state, such as a transaction, is gone. It connects with the
 * first statement. Statements run in the order of the calls. Methods throw the errors of the driver, and
 * `ConnectionLost` after a loss; `asDatabaseError` translates both.
 */
export class PostgresConnection {
  readonly #sql: postgres.Sql<{ bigint: number }>;
  readonly #hasNoTimeouts: boolean;
  #isLost = false;
  readonly #prepared = new Set<string>();

  constructor(open: typeof postgres, url: string, { hasNoTimeouts }: ConnectionOptions) {
    this.#hasNoTimeouts = hasNoTimeouts;
    const servers = serverAddresses(url);
    let isOpened = false;
    let failure: unknown = new ConnectionLost('the server has closed the connection');
    const options = {
      host: NO_HOST,
      async socket() {
        // After a failure, the driver asks for a second socket and reports the error of that call.
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
      // The driver's limit covers the attempts for all servers and the handshake.
      connect_timeout: CONNECT_TIMEOUT_SECONDS * (servers.length + 1),
      idle_timeout: 0,
      max_lifetime: null,
      types: { bigint: INTEGERS },
      connection: {
        application_name: 'tsreg',
        statement_timeout: hasNoTimeouts ? 0 : STATEMENT_TIMEOUT_MS,
        lock_timeout: LOCK_TIMEOUT_MS,
        idle_in_transaction_session_timeout: hasNoTimeouts ? 0 : IDLE_TRANSACTION_TIMEOUT_MS,
      },
      onnotice: () => undefined,
      onclose: () => {
        this.#isLost = true;
      },
    };
    this.#sql = open(url, options);
  }

  /** True once the connection is lost or ended. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Runs one statement with the placeholders `$1`, `$2`, …. Prepares the first `MAX_PREPARED` different statements. */
  async query(sql: string, values: readonly SqlValue[] = []): Promise<PostgresResult> {
    const isPrepared = this.#prepared.has(sql);
    const prepare = isPrepared || this.#prepared.size < MAX_PREPARED;
    if (prepare && !isPrepared) this.#prepared.add(sql);
    return await this.#response(this.#sql.unsafe(sql, values.map(withoutNul), { prepare }));
  }

  /** Runs statements without values. */
  async exec(sql: string): Promise<void> {
    await this.#response(this.#sql.unsafe(sql));
  }

  /** Yields the rows of a query in batches of `batchSize`, without a time limit. */
  async *batches(sql: string, batchSize: number): AsyncGenerator<readonly SqlRow[]> {
    this.#requireOpen();
    for await (const rows of this.#sql.unsafe(sql).cursor(batchSize)) yield rows;
  }

  /** Returns a stream for the data of `COPY … FROM STDIN`. The caller ends it. */
  async copyIn(sql: string): Promise<Writable> {
    this.#requireOpen();
    return await this.#sql.unsafe(sql).writable();
  }

  /** Ends the connection at once, even during a statement. */
  async end(): Promise<void> {
    this.#isLost = true;
    await this.#sql.end({ timeout: 0 });
  }

  /** Waits for a response. Ends the connection if it does not arrive in time. */
  async #response(query: postgres.PendingQuery<postgres.Row[]>): Promise<PostgresResult> {
    this.#requireOpen();
    const timer = this.#hasNoTimeouts ? undefined : setTimeout(() => void this.end(), RESPONSE_TIMEOUT_MS);
    try {
      const rows = await query;
      return { rows, count: rows.count };
    } catch (error) {
      // The driver would reconnect, without the lost transaction.
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

/** Replaces NUL characters, which PostgreSQL cannot store in texts, with U+FFFD. */
function withoutNul(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{fffd}') : value;
}
