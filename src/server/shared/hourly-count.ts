const HOUR_MS = 60 * 60_000;
const HOURS = 24;

/** A count of events in this process during the last 24 hours, accurate to an hour. */
export class HourlyCount {
  /** When the count began. */
  readonly sinceMs: number;
  /** The events of the last hours, by number of the hour. */
  readonly #hours = new Map<number, number>();

  constructor(sinceMs: number) {
    this.sinceMs = sinceMs;
  }

  /** Counts an event. */
  add(atMs: number): void {
    const hour = Math.floor(atMs / HOUR_MS);
    this.#hours.set(hour, (this.#hours.get(hour) ?? 0) + 1);
    this.#forgetBefore(atMs);
  }

  /** Returns the number of events. */
  total(nowMs: number): number {
    this.#forgetBefore(nowMs);
    return [...this.#hours.values()].reduce((sum, count) => sum + count, 0);
  }

  #forgetBefore(nowMs: number): void {
    const first = Math.floor(nowMs / HOUR_MS) - HOURS;
    for (const hour of this.#hours.keys()) if (hour <= first) this.#hours.delete(hour);
  }
}
