import { ApiError } from './api-error.ts';

const RETRY_AFTER_SECONDS = '5';

/** What one client may hold at a time of something that there is a limited number of, by its address. */
export class ClientShare {
  readonly #max: number;
  readonly #held = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes one, and returns what gives it back; doing that twice is fine. Throws 429 where the client has too many. */
  take(address: string): () => void {
    const held = this.#held.get(address) ?? 0;
    if (held >= this.#max) {
      throw new ApiError(429, 'too many requests of this address are under way; try again later', {
        'Retry-After': RETRY_AFTER_SECONDS,
      });
    }
    this.#held.set(address, held + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const rest = (this.#held.get(address) ?? 1) - 1;
      if (rest === 0) this.#held.delete(address);
      else this.#held.set(address, rest);
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
