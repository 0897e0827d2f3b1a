import { TsregError } from '../../errors/error.ts';

/** When a reader is too slow. */
export interface Pace {
  /** As long as no more are read, nobody is. */
  readonly maxUnpaced: number;
  /** How long a reader may take for `minBytes`. */
  readonly periodMs: number;
  readonly minBytes: number;
}

/** 16 KiB a second, where half of the connections to the object store are taken. */
export const PACE: Pace = { maxUnpaced: 128, periodMs: 30_000, minBytes: 30 * 16 * 1024 };

interface Paced {
  taken: number;
  /** False for one that has not been there for all of the period. */
  isWhole: boolean;
  readonly end: (reason: Error) => void;
}

/** Streams that each hold something that there is a limited number of, by readers who must not be slow while it is scarce. */
export class PacedStreams {
  readonly #pace: Pace;
  readonly #isScarce: () => boolean;
  readonly #streams = new Set<Paced>();
  #timer: NodeJS.Timeout | null = null;

  /** `isScarce` tells of another reason than their number to have no patience with slow readers. */
  constructor(pace: Pace = PACE, isScarce: () => boolean = () => false) {
    this.#pace = pace;
    this.#isScarce = isScarce;
  }

  /** The same bytes; `onEnd` is called once nobody reads them any more. Breaks off for readers who are too slow. */
  pass(stream: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
    const reader = stream.getReader();
    const end = (): void => {
      this.#remove(paced);
      onEnd();
    };
    let fail: (reason: Error) => void = () => undefined;
    const paced: Paced = { taken: 0, isWhole: false, end: (reason) => fail(reason) };
    this.#add(paced);
    return new ReadableStream(
      {
        start(controller) {
          fail = (reason) => {
            end();
            controller.error(reason);
            // Also where the reader waits for nothing: what is behind is to be free at once.
            reader.cancel(reason).catch(() => undefined);
          };
        },
        async pull(controller) {
          try {
            const { done, value } = await reader.read();
            paced.taken += value?.length ?? 0;
            if (!done) return controller.enqueue(value);
            end();
            controller.close();
          } catch (error) {
            end();
            throw error;
          }
        },
        async cancel(reason) {
          end();
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  #add(paced: Paced): void {
    this.#streams.add(paced);
    this.#timer ??= setInterval(() => this.#check(), this.#pace.periodMs).unref();
  }

  #remove(paced: Paced): void {
    this.#streams.delete(paced);
    if (this.#streams.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #check(): void {
    const isScarce = this.#streams.size > this.#pace.maxUnpaced || this.#isScarce();
    for (const paced of [...this.#streams]) {
      if (isScarce && paced.isWhole && paced.taken < this.#pace.minBytes) {
        paced.end(new TsregError('the download was too slow while many others waited', { code: 'network' }));
      }
      paced.taken = 0;
      paced.isWhole = true;
    }
  }
}
