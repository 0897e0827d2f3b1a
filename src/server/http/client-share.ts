import { ApiError } from './api-error.ts';
import { networkOf } from './network-of.ts';

const RETRY_AFTER_SECONDS = '5';

/** What a client may hold once so many are held by all together: the rest is for those who have few. */
export interface Scarcity {
  readonly from: number;
  readonly max: number;
}

/** What one client may hold at a time of something that there is a limited number of, by its network. */
export class ClientShare {
  readonly #max: number;
  readonly #scarcity: Scarcity;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(max: number, scarcity: Scarcity = { from: Number.POSITIVE_INFINITY, max }) {
    this.#max = max;
    this.#scarcity = scarcity;
  }

  /** Takes one, and returns what gives it back; doing that twice is fine. Throws 429 where the client has too many. */
  take(address: string): () => void {
    const client = networkOf(address);
    const held = this.#held.get(client) ?? 0;
    if (held >= (this.#total < this.#scarcity.from ? this.#max : this.#scarcity.max)) {
      throw new ApiError(429, 'too many requests from this address are in progress; try again later', {
        'Retry-After': RETRY_AFTER_SECONDS,
      });
    }
    this.#held.set(client, held + 1);
    this.#total += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#total -= 1;
      const rest = (this.#held.get(client) ?? 1) - 1;
      if (rest === 0) this.#held.delete(client);
      else this.#held.set(client, rest);
    };
  }

  /** Holds one while `work` is done. Throws as `take` does. */
  async during<T>(address: string, work: () => Promise<T>): Promise<T> {
    const release = this.take(address);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
