import type { Clock } from '../shared/clock.ts';

/** How long a missing file counts as missing. Then the mirror asks the upstream again. */
const GOOD_FOR_MS = 60_000;
/** Maximum names; the oldest ones are forgotten first. */
const MAX_NAMES = 10_000;

/** Names that the upstream did not have within the last minute. Clients request every spelling of a missing name. */
export class RecentlyAbsent {
  readonly #clock: Clock;
  /** The time until which each name counts as absent, by its lower-case form; oldest first. */
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Remembers that the upstream does not have the crate with this name in lower case. */
  add(name: string): void {
    this.#untilMs.delete(name);
    this.#untilMs.set(name, this.#clock.now() + GOOD_FOR_MS);
    if (this.#untilMs.size <= MAX_NAMES) return;
    const [oldest] = this.#untilMs.keys();
    if (oldest !== undefined) this.#untilMs.delete(oldest);
  }

  /** Returns true if `add` was called with the name within the last minute. */
  has(name: string): boolean {
    const untilMs = this.#untilMs.get(name);
    return untilMs !== undefined && this.#clock.now() < untilMs;
  }
}
