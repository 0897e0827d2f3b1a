import { TsregError } from '../../errors/error.ts';
import type { RecordFigures } from '../store.ts';
import type { Connect, PostgresConnection } from './postgres-connection.ts';

/** Bounds of a pool. */
export interface PoolOptions {
  /** Connections at a time. */
  readonly max: number;
  /** How long to wait for one. */
  readonly waitMs: number;
}

/** How long a connection is used: so that after a failover or a change of its address all come to move. */
const MAX_AGE_MS = 30 * 60_000;

interface Idle {
  readonly connection: PostgresConnection;
  readonly openedAtMs: number;
}

/** Connections that are used by one at a time, and kept for the next. */
export class PostgresPool {
  readonly #connect: Connect;
  readonly #options: PoolOptions;
  readonly #idle: Idle[] = [];
  readonly #waiting = new Set<() => void>();
  #inUse = 0;
  #repeats = 0;
  #failures = 0;
  #isEnded = false;

  constructor(connect: Connect, options: PoolOptions) {
    this.#connect = connect;
    this.#options = options;
  }

  figures(): RecordFigures {
    return {
      maxConnections: this.#options.max,
      ...{ inUse: this.#inUse, waiting: this.#waiting.size },
      ...{ repeats: this.#repeats, failures: this.#failures },
    };
  }

  /** Counts what failed, and whether it is tried again. */
  noteFailure({ isRepeated }: { readonly isRepeated: boolean }): void {
    if (isRepeated) this.#repeats += 1;
    else this.#failures += 1;
  }

  /**
   * Runs `body` with a connection of its own. What it leaves unfinished must not be a transaction. Throws `network`, and
   * has done nothing, if none gets free in time.
   */
  async use<T>(body: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    if (this.#isEnded) throw new TsregError('the registry is closed', { code: 'bug' });
    await this.#enter();
    const idle = this.#takeIdle() ?? {
      connection: this.#connect({ isPatient: false }),
      openedAtMs: performance.now(),
    };
    try {
      return await body(idle.connection);
    } finally {
      if (idle.connection.isLost || this.#isEnded) void idle.connection.end();
      else this.#idle.push(idle);
      this.#leave();
    }
  }

  /** Ends what is idle; what is in use ends with its use. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.end()));
  }

  /** The one that was used last, so that the others get old. */
  #takeIdle(): Idle | null {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      const isOld = performance.now() - idle.openedAtMs > MAX_AGE_MS;
      if (!idle.connection.isLost && !isOld) return idle;
      void idle.connection.end();
    }
    return null;
  }

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

  /** The place goes to whoever waits for the longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#inUse -= 1;
    else next();
  }
}
