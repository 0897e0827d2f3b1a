/** Rate limits per client. */
import type { Clock } from '../shared/clock.ts';
import type { RateLimitUse, RateLimitRecords } from '../store/rate-limit-records.ts';

/** Maximum number of remembered clients. The least recently active ones are forgotten. */
const MAX_CLIENTS = 10_000;

/** A limit that was used up is free again after this time. */
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
  /** Time of the last event of each client in this process, oldest first. Other clients need no query of the records. */
  readonly #lastEventMs = new Map<string, number>();

  constructor(records: RateLimitRecords, options: RateLimitOptions) {
    this.#records = records;
    this.#options = options;
  }

  /** Counts an event if the limit allows it. Returns 0, or the seconds until it is allowed. */
  async consume(client: string): Promise<number> {
    if (this.#options.perMinute === 0) return 0;
    this.#noteEvent(client);
    return asSeconds(await this.#records.consumeRateLimit(this.#useOf(client)));
  }

  /** Returns the same as `consume` without counting an event; 0 for clients without an event here in the last minute. */
  async peek(client: string): Promise<number> {
    const lastMs = this.#lastEventMs.get(client);
    if (lastMs === undefined || lastMs + MINUTE_MS < this.#options.clock.now()) return 0;
    return asSeconds(await this.#records.peekRateLimit(this.#useOf(client)));
  }

  #useOf(client: string): RateLimitUse {
    const { name, perMinute, clock } = this.#options;
    return { subject: `${name} ${client}`, perMinute, atMs: clock.now() };
  }

  #noteEvent(client: string): void {
    this.#lastEventMs.delete(client);
    this.#lastEventMs.set(client, this.#options.clock.now());
    const [oldest] = this.#lastEventMs.keys();
    if (this.#lastEventMs.size > MAX_CLIENTS && oldest !== undefined) this.#lastEventMs.delete(oldest);
  }
}

function asSeconds(waitMs: number): number {
  return Math.ceil(waitMs / 1000);
}
