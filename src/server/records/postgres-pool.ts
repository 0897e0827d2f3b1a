import { TsregError } from '../../core/errors/error.ts';
import type { RecordFigures } from '../store/store.ts';
import type { Connect, PostgresConnection } from './postgres-connection.ts';

/** Limits of a pool. */
export interface PoolOptions {
  /** Maximum number of connections. */
  readonly max: number;
  /** How long to wait for a free connection. */
  readonly waitMs: number;
}

/** Maximum age of a connection. Lets all connections move after a failover or a change of address. */
const MAX_AGE_MS = 30 * 60_000;

/** A connection that no caller uses. */
interface IdleConnection {
  readonly connection: PostgresConnection;
  readonly openedAtMs: number;
}

/** A pool of connections, each used by one caller at a time. */
export class PostgresPool {
  readonly #connect: Connect;
  readonly #options: PoolOptions;
  readonly #idle: IdleConnection[] = [];
  readonly #waiting = new Set<() => void>();
  #inUse = 0;
  #repeats = 0;
  #failures = 0;
  #isEnded = false;

  constructor(connect: Connect, options: PoolOptions) {
    this.#connect = connect;
    this.#options = options;
  }

  /** Returns the current connections, and the counts since the start. */
  figures(): RecordFigures {
    return {
      maxConnections: this.#options.max,
      inUse: this.#inUse,
      waiting: this.#waiting.size,
      repeats: this.#repeats,
      failures: this.#failures,
    };
  }

  /** Counts a failure, either as repeated or as permanent. */
  noteFailure({ isRepeated }: { readonly isRepeated: boolean }): void {
    if (isRepeated) this.#repeats += 1;
    else this.#failures += 1;
  }

  /**
   * Runs `body` with a connection, which it must not leave in a transaction. Throws `network`, without calling `body`,
   * if none becomes free in time.
   */
  async use<T>(body: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    if (this.#isEnded) throw new TsregError('the registry is closed', { code: 'bug' });
    await this.#enter();
    const slot = this.#takeIdle() ?? {
      connection: this.#connect({ hasNoTimeouts: false }),
      openedAtMs: performance.now(),
    };
    try {
      return await body(slot.connection);
    } finally {
      if (slot.connection.isLost || this.#isEnded) void slot.connection.end();
      else this.#idle.push(slot);
      this.#leave();
    }
  }

  /** Closes the idle connections at once, and the others after their use. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.end()));
  }

  /** Returns the most recently used connection, so that the others expire. */
  #takeIdle(): IdleConnection | null {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      const isOld = performance.now() - idle.openedAtMs > MAX_AGE_MS;
      if (!idle.connection.isLost && !isOld) return idle;
      void idle.connection.end();
    }
    return null;
  }

  /** Takes one of the `max` slots, or waits for one. */
  async #enter(): Promise<void> {
    if (this.#inUse < this.#options.max) {
      this.#inUse += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(enter);
        const message = `all ${this.#options.max} connections to the database are in use`;
        reject(new TsregError(message, { code: 'network' }));
      }, this.#options.waitMs);
      this.#waiting.add(enter);
    });
  }

  /** Passes the connection's slot to the caller that has waited longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#inUse -= 1;
    else next();
  }
}
