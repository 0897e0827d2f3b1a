/** Lets a bounded number of works be under way; the others wait for their turn, also a bounded number. */
export class Slots {
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number | null;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** `maxWaitMs`: how long a work may wait for its turn; for ever unless given. */
  constructor(count: number, maxWaiting: number, { maxWaitMs }: { readonly maxWaitMs?: number } = {}) {
    this.#free = count;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs ?? null;
  }

  /** Rejects with what `refusal` makes where too many wait already, or this one has waited too long. */
  async run<T>(work: () => Promise<T>, refusal: () => Error): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else if (this.#waiting.length >= this.#maxWaiting) throw refusal();
    else await this.#turn(refusal);
    try {
      return await work();
    } finally {
      // The place goes to the next one as it is.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #turn(refusal: () => Error): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = this.#maxWaitMs === null ? undefined : setTimeout(() => giveUp(), this.#maxWaitMs);
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(refusal());
      };
      this.#waiting.push(begin);
    });
  }
}
