/** How often one client may do something. */
import type { Clock } from '../server-context.ts';

/** More clients than this are not remembered: those who did nothing for the longest are forgotten. */
const MAX_CLIENTS = 10_000;

const MINUTE_MS = 60_000;

/**
 * A bucket a client, which fills up steadily: as many events as fit in may come at once. It belongs to one process:
 * with several, each allows as much.
 */
export class RateLimit {
  readonly #perMinute: number;
  readonly #clock: Clock;
  /** When the bucket of a client will be full again. */
  readonly #fullAtMs = new Map<string, number>();

  /** `perMinute` is also what may come at once; 0 for no limit. */
  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  /** Counts an event. Returns 0, or the seconds after which it would be allowed. */
  take(client: string): number {
    const waitSeconds = this.wait(client);
    if (waitSeconds === 0 && this.#perMinute > 0) {
      const fullAtMs = this.#fullAfterNext(client);
      this.#fullAtMs.delete(client);
      this.#fullAtMs.set(client, fullAtMs);
      if (this.#fullAtMs.size > MAX_CLIENTS) this.#forgetOldest();
    }
    return waitSeconds;
  }

  /** As `take`, without counting anything. */
  wait(client: string): number {
    if (this.#perMinute === 0) return 0;
    const tooEarlyMs = this.#fullAfterNext(client) - this.#clock.now() - MINUTE_MS;
    // Less than a millisecond is what fractions lose.
    return tooEarlyMs < 1 ? 0 : Math.ceil(tooEarlyMs / 1000);
  }

  /** An empty bucket is full after a minute, and every event takes its part of that. */
  #fullAfterNext(client: string): number {
    const now = this.#clock.now();
    return Math.max(this.#fullAtMs.get(client) ?? now, now) + MINUTE_MS / this.#perMinute;
  }

  #forgetOldest(): void {
    const [oldest] = this.#fullAtMs.keys();
    if (oldest !== undefined) this.#fullAtMs.delete(oldest);
  }
}
