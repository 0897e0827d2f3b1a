import type { Clock } from '../shared/clock.ts';

const GOOD_FOR_MS = 60_000;
const MAX_NAMES = 10_000;

/** Names that the upstream did not have within the last minute. Clients request every spelling of a missing name. */
export class RecentlyAbsent {
  readonly #clock: Clock;
  /** The time until which each name counts as absent, oldest first. */
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(name: string): void {
    this.#untilMs.delete(name);
    this.#untilMs.set(name, this.#clock.now() + GOOD_FOR_MS);
    if (this.#untilMs.size <= MAX_NAMES) return;
    const [oldest] = this.#untilMs.keys();
    if (oldest !== undefined) this.#untilMs.delete(oldest);
  }

  has(name: string): boolean {
    const untilMs = this.#untilMs.get(name);
    return untilMs !== undefined && this.#clock.now() < untilMs;
  }
}
