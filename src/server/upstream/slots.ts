/** How a work waits for its turn. */
export interface WaitOptions {
  /** Whose work it is: nobody gets two turns in a row while others wait, nor more than half of the places to wait. */
  readonly owner?: string;
}

interface Waiting {
  readonly owner: string | null;
  readonly begin: () => void;
}

/** Lets a bounded number of works be under way; the others wait for their turn, also a bounded number. */
export class Slots {
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number | null;
  readonly #waiting: Waiting[] = [];
  #lastOwner: string | null = null;
  #free: number;

  /** `maxWaitMs`: how long a work may wait for its turn; for ever unless given. */
  constructor(count: number, maxWaiting: number, { maxWaitMs }: { readonly maxWaitMs?: number } = {}) {
    this.#free = count;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs ?? null;
  }

  /** Rejects with what `refusal` makes where too many wait already, or this one has waited too long. */
  async run<T>(work: () => Promise<T>, refusal: () => Error, { owner }: WaitOptions = {}): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else if (this.#isFull(owner)) throw refusal();
    else await this.#turn(refusal, owner ?? null);
    try {
      return await work();
    } finally {
      // The place goes to the next one as it is.
      const next = this.#next();
      if (next === undefined) this.#free += 1;
      else next.begin();
    }
  }

  #isFull(owner: string | undefined): boolean {
    if (this.#waiting.length >= this.#maxWaiting) return true;
    if (owner === undefined) return false;
    return this.#waiting.filter((each) => each.owner === owner).length >= this.#maxWaiting / 2;
  }

  /** Takes the first one that is of another owner than the last, else the first. */
  #next(): Waiting | undefined {
    const other = this.#waiting.findIndex(({ owner }) => owner === null || owner !== this.#lastOwner);
    const [next] = this.#waiting.splice(Math.max(other, 0), 1);
    this.#lastOwner = next?.owner ?? null;
    return next;
  }

  #turn(refusal: () => Error, owner: string | null): Promise<void> {
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
