/** Options for waiting. */
export interface WaitOptions {
  /**
   * The owner of the work. No owner gets two turns in a row while others wait, or more than half of the queue. Work
   * without an owner has no such limit.
   */
  readonly owner?: string;
}

/** Work in the queue. */
interface Waiting {
  readonly owner: string | null;
  readonly begin: () => void;
}

/** A limit of concurrent work, with a bounded queue. */
export class Slots {
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number | null;
  readonly #waiting: Waiting[] = [];
  /** The owner whose work last left the queue. */
  #lastOwner: string | null = null;
  #free: number;

  /** Allows `count` at a time and `maxWaiting` in the queue, for at most `maxWaitMs` (default: no limit). */
  constructor(count: number, maxWaiting: number, { maxWaitMs }: { readonly maxWaitMs?: number } = {}) {
    this.#free = count;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs ?? null;
  }

  /** Runs `work` when it is its turn. Throws the error of `refusal` if the queue is full or the wait took too long. */
  async run<T>(work: () => Promise<T>, refusal: () => Error, { owner }: WaitOptions = {}): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else if (this.#isFull(owner)) throw refusal();
    else await this.#waitInQueue(refusal, owner ?? null);
    try {
      return await work();
    } finally {
      // The next work takes over the slot.
      const next = this.#takeNext();
      if (next === undefined) this.#free += 1;
      else next.begin();
    }
  }

  #isFull(owner: string | undefined): boolean {
    if (this.#waiting.length >= this.#maxWaiting) return true;
    if (owner === undefined) return false;
    return this.#waiting.filter((waiting) => waiting.owner === owner).length >= this.#maxWaiting / 2;
  }

  /** Removes and returns the first work of another owner than the last, else the first. */
  #takeNext(): Waiting | undefined {
    const other = this.#waiting.findIndex(({ owner }) => owner === null || owner !== this.#lastOwner);
    const [next] = this.#waiting.splice(Math.max(other, 0), 1);
    this.#lastOwner = next?.owner ?? null;
    return next;
  }

  /** Resolves when another work hands over its slot. Rejects after `maxWaitMs`. */
  #waitInQueue(refusal: () => Error, owner: string | null): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = this.#maxWaitMs === null ? undefined : setTimeout(() => giveUp(), this.#maxWaitMs);
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(refusal());
      };
      const waiting = { owner, begin };
      this.#waiting.push(waiting);
    });
  }
}
