/** Rate limits per client. */
import type { Clock } from '../shared/clock.ts';
import type { RateLimitUse, RateLimitRecords } from '../store/rate-limit-records.ts';

/** Maximum number of remembered clients. The least recently active ones are forgotten. */
const MAX_CLIENTS = 10_000;

const MINUTE_MS = 60_000;

/** Options of a rate limit. */
export interface RateLimitOptions {
  /** The limited action. Limits with the same name share their counts, in all processes. */
  readonly name: string;
  /** Also the maximum burst; 0 for no limit. */
  readonly perMinute: number;
  readonly clock: Clock;
}

/** A token bucket per client, shared by all processes. It refills steadily, and its size is the maximum burst. */
export class RateLimit {
  readonly #records: RateLimitRecords;
  readonly #options: RateLimitOptions;
  /** Time of the last event of each client that this process knows. Others need no query of the records. */
  readonly #lastMs = new Map<string, number>();

  constructor(records: RateLimitRecords, options: RateLimitOptions) {
    this.#records = records;
    this.#options = options;
  }

  /** Counts an event if the limit allows it. Returns 0, or the seconds until it is allowed. */
  async take(client: string): Promise<number> {
    if (this.#options.perMinute === 0) return 0;
    this.#note(client);
    return asSeconds(await this.#records.consumeRateLimit(this.#turn(client)));
  }

  /** Returns the same as `take` without counting an event; 0 for clients that this process has not counted recently. */
  async wait(client: string): Promise<number> {
    const lastMs = this.#lastMs.get(client);
    if (lastMs === undefined || lastMs + MINUTE_MS < this.#options.clock.now()) return 0;
    return asSeconds(await this.#records.peekRateLimit(this.#turn(client)));
  }

  #turn(client: string): RateLimitUse {
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
