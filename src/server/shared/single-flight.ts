/** Work that runs once for all concurrent callers with the same key. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();

  /** Returns the result of the running work of `key`. Starts `work` if there is none. */
  run(key: string, work: () => Promise<T>): Promise<T> {
    let flight = this.#flights.get(key);
    if (flight === undefined) {
      flight = work().finally(() => this.#flights.delete(key));
      this.#flights.set(key, flight);
    }
    return flight;
  }
}
