/** How often one client may do something. */
import type { Clock } from '../clock.ts';
import type { Records, RateTurn } from '../store.ts';

/** More clients than this are not remembered: those who did nothing for the longest are forgotten. */
const MAX_CLIENTS = 10_000;

const MINUTE_MS = 60_000;

/** What a limit is made of. */
export interface RateLimitOptions {
  /** What is limited; limits of one name count together, in all processes. */
  readonly name: string;
  /** Also what may come at once; 0 for no limit. */
  readonly perMinute: number;
  readonly clock: Clock;
}

/** A bucket a client, which fills up steadily: as many events as fit in may come at once, in all processes together. */
export class RateLimit {
  readonly #records: Pick<Records, 'takeTurn' | 'findTurnWait'>;
  readonly #options: RateLimitOptions;
  /** Until when clients that this process knows may have to wait: the records are not asked about all others. */
  readonly #lastMs = new Map<string, number>();

  constructor(records: Pick<Records, 'takeTurn' | 'findTurnWait'>, options: RateLimitOptions) {
    this.#records = records;
    this.#options = options;
  }

  /** Counts an event. Returns 0, or the seconds after which it would be allowed. */
  async take(client: string): Promise<number> {
    if (this.#options.perMinute === 0) return 0;
    this.#note(client);
    return asSeconds(await this.#records.takeTurn(this.#turn(client)));
  }

  /** As `take`, without counting anything, for a client that this process has counted. Others do not wait. */
  async wait(client: string): Promise<number> {
    const lastMs = this.#lastMs.get(client);
    if (lastMs === undefined || lastMs + MINUTE_MS < this.#options.clock.now()) return 0;
    return asSeconds(await this.#records.findTurnWait(this.#turn(client)));
  }

  #turn(client: string): RateTurn {
    const { name, perMinute, clock } = this.#options;
    return { subject: `${name} ${client}`, perMinute, atMs: clock.now() };
  }

  #note(client: string): void {
    this.#lastMs.delete(client);
    this.#lastMs.set(client, this.#options.clock.now());
    const [oldest] = this.#lastMs.keys();
    if (this.#lastMs.size > MAX_CLIENTS && oldest !== undefined) this.#lastMs.delete(oldest);
  }
}

function asSeconds(waitMs: number): number {
  return Math.ceil(waitMs / 1000);
}
