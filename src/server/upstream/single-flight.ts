/** Work that several ask for at once is done once. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();

  /** Settles as the work of that key does which is under way, or begins it. */
  run(key: string, work: () => Promise<T>): Promise<T> {
    let flight = this.#flights.get(key);
    if (flight === undefined) {
      flight = work().finally(() => this.#flights.delete(key));
      this.#flights.set(key, flight);
    }
    return flight;
  }
}
