/** Lets a bounded number of works be under way; the others wait for their turn, also a bounded number. */
export class Slots {
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number, maxWaiting: number) {
    this.#free = count;
    this.#maxWaiting = maxWaiting;
  }

  /** Rejects with what `refusal` makes where too many wait already. */
  async run<T>(work: () => Promise<T>, refusal: () => Error): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else if (this.#waiting.length >= this.#maxWaiting) throw refusal();
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place goes to the next one as it is.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
