import type { ServerContext } from '../server-context.ts';
import { reasonOf } from '../shared/reason-of.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import { withinTime } from '../shared/within-time.ts';

/** A part of the store. */
export type StorePart = 'records' | 'files';

/** A check that failed. */
export interface HealthFailure {
  readonly part: StorePart;
  readonly atMs: number;
  readonly reason: string;
}

/** Time for a part to respond to a check. No load balancer waits longer. */
const MAX_PING_MS = 3_000;

/** Checks of the store, for load balancers and admins. */
export class HealthCheck {
  readonly #context: Pick<ServerContext, 'records' | 'blobs' | 'clock' | 'log'>;
  /** One check for all concurrent callers, because each check writes. */
  readonly #checks = new SingleFlight<readonly StorePart[]>();
  #lastFailure: HealthFailure | null = null;

  constructor(context: Pick<ServerContext, 'records' | 'blobs' | 'clock' | 'log'>) {
    this.#context = context;
  }

  /** The last failure since the start; null for none. */
  get lastFailure(): HealthFailure | null {
    return this.#lastFailure;
  }

  /** Returns the parts that cannot be read and written now. */
  findFailing(): Promise<readonly StorePart[]> {
    const { records, blobs } = this.#context;
    return this.#checks.run('all', async () => {
      const [hasRecords, hasFiles] = await Promise.all([
        this.#responds('records', () => records.ping()),
        this.#responds('files', () => blobs.ping()),
      ]);
      return [...(hasRecords ? [] : ['records' as const]), ...(hasFiles ? [] : ['files' as const])];
    });
  }

  async #responds(part: StorePart, ping: () => Promise<void>): Promise<boolean> {
    try {
      await withinTime(ping(), { timeoutMs: MAX_PING_MS, tooLate: () => new Error('no response in time') });
      return true;
    } catch (error) {
      const reason = reasonOf(error);
      this.#context.log.error('unhealthy', { part, reason });
      this.#lastFailure = { part, atMs: this.#context.clock.now(), reason };
      return false;
    }
  }
}
