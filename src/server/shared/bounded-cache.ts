/** The most recently used values up to a total size. */
export class BoundedCache<T> {
  readonly #maxSize: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, { readonly value: T; readonly size: number }>();
  #size = 0;

  /** Creates an empty cache. `maxSize` and the sizes of values have the same unit. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** Returns a value and marks it as just used; null if it is not cached. */
  get(key: string): T | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Adds a value. Evicts others if there is no room. A value larger than the whole cache is not added. */
  set(key: string, value: T, size: number): void {
    this.#remove(key);
    if (size > this.#maxSize) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
