import { setTimeout as sleep } from 'node:timers/promises';
import { Slots, type WaitOptions } from './slots.ts';

/** The error if too much work waits, or it waited too long. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

const MAX_WAITING = 50;
const MAX_WAIT_MS = 10_000;
/** How long to rest after work, as a multiple of its duration. */
const REST_FACTOR = 2;

/** Work that runs for at most a third of the time, however much of it waits: a rest of twice its duration follows. */
export class PacedWork {
  readonly #slots = new Slots(1, MAX_WAITING, { maxWaitMs: MAX_WAIT_MS });

  /** Runs `work` when it is its turn. Rejects with `TooMuchWork` if that takes too long. */
  async run<T>(work: () => Promise<T>, options: WaitOptions = {}): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      const workAndRest = async (): Promise<void> => {
        const beganAtMs = performance.now();
        // The caller need not wait for the rest.
        await work().then(resolve, reject);
        await sleep((performance.now() - beganAtMs) * REST_FACTOR, undefined, { ref: false });
      };
      this.#slots.run(workAndRest, () => new TooMuchWork(), options).catch(reject);
    });
  }
}
