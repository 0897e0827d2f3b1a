import { BoundedCache } from './bounded-cache.ts';
import type { Clock } from './clock.ts';
import { SingleFlight } from './single-flight.ts';

/** The limits of `RecentValues`. */
export interface RecentValuesOptions<T> {
  readonly clock: Clock;
  /** Returns how long a value is used. */
  readonly maxAgeMs: (value: T) => number;
  /** Maximum size of all values together, in the unit of `sizeOf`. */
  readonly maxSize: number;
  /** Returns the size of a value with its key. It must be at least that of the key if callers choose it. */
  readonly sizeOf: (value: T, key: string) => number;
}

/** Values that are computed once for all callers with the same key, and used again while they are recent. */
export class RecentValues<T> {
  readonly #options: RecentValuesOptions<T>;
  #cache: BoundedCache<{ readonly value: T; readonly atMs: number }>;
  #tasks = new SingleFlight<T>();

  constructor(options: RecentValuesOptions<T>) {
    this.#options = options;
    this.#cache = new BoundedCache(options.maxSize);
  }

  /** Returns the recent value of `key`, or the result of `compute`. An error is not cached. */
  async get(key: string, compute: () => Promise<T>): Promise<T> {
    const { clock, maxAgeMs } = this.#options;
    const cached = this.#cache.get(key);
    if (cached !== null && clock.now() - cached.atMs < maxAgeMs(cached.value)) return cached.value;
    const cache = this.#cache;
    return await this.#tasks.run(key, async () => {
      // The age counts from before the work: a change during it may be missing.
      const atMs = clock.now();
      const value = await compute();
      cache.set(key, { value, atMs }, this.#options.sizeOf(value, key));
      return value;
    });
  }

  /** Forgets all values, also those that are being computed. */
  clear(): void {
    this.#cache = new BoundedCache(this.#options.maxSize);
    this.#tasks = new SingleFlight();
  }
}
