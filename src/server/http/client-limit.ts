import { ApiError } from './api-error.ts';
import { networkOf } from './network-of.ts';

const RETRY_AFTER_SECONDS = '5';

/** The overload limit: the per-client limit `max` that applies once all clients together hold `from`. */
export interface OverloadLimit {
  readonly from: number;
  readonly max: number;
}

/** A per-client concurrency limit for a scarce resource. A client is a network as in `networkOf`. */
export class ClientLimit {
  readonly #max: number;
  readonly #overload: OverloadLimit;
  /** Units in use, by client. */
  readonly #held = new Map<string, number>();
  #total = 0;

  /** Allows `max` units per client, or those of `overload` once it applies. */
  constructor(max: number, overload: OverloadLimit = { from: Number.POSITIVE_INFINITY, max }) {
    this.#max = max;
    this.#overload = overload;
  }

  /**
   * Takes one unit. Returns a function that releases it and may be called twice. Throws a 429 if the client has too
   * many.
   */
  take(address: string): () => void {
    const client = networkOf(address);
    const held = this.#held.get(client) ?? 0;
    const { from, max: maxUnderOverload } = this.#overload;
    const max = this.#total < from ? this.#max : maxUnderOverload;
    if (held >= max) {
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
      const left = (this.#held.get(client) ?? 1) - 1;
      if (left === 0) this.#held.delete(client);
      else this.#held.set(client, left);
    };
  }

  /** Runs `work` while holding one unit. Throws as `take` does. */
  async during<T>(address: string, work: () => Promise<T>): Promise<T> {
    const release = this.take(address);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
