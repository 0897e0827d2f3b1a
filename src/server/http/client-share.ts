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

/** The same bytes; `onEnd` is called once nobody reads them any more. */
export function endingWith(
  stream: ReadableStream<Uint8Array>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          onEnd();
          controller.close();
        } catch (error) {
          onEnd();
          throw error;
        }
      },
      async cancel(reason) {
        onEnd();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
