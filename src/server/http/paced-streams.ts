import { TsregError } from '../../core/errors/error.ts';
import { MAX_READING_CONNECTIONS } from '../store/blobs.ts';

/** The minimum speed of readers. */
export interface Pace {
  /** Up to this number of streams, readers may be slower. */
  readonly maxUnpaced: number;
  /** How long a reader may take for `minBytes`. */
  readonly periodMs: number;
  readonly minBytes: number;
}

/** 16 KiB per second, if more than half of the connections to the object store are in use. */
export const PACE: Pace = {
  maxUnpaced: MAX_READING_CONNECTIONS / 2,
  periodMs: 30_000,
  minBytes: 30 * 16 * 1024,
};

interface Paced {
  taken: number;
  /** False if the stream began during the current period. */
  isWhole: boolean;
  readonly end: (reason: Error) => void;
}

/** Streams that each hold a unit of a limited resource. While it is scarce, slow readers are cut off. */
export class PacedStreams {
  readonly #pace: Pace;
  readonly #isOverloaded: () => boolean;
  readonly #streams = new Set<Paced>();
  #timer: NodeJS.Timeout | null = null;

  /** Creates an empty set. `isOverloaded` returns true to cut off slow readers for another reason than their number. */
  constructor(pace: Pace = PACE, isOverloaded: () => boolean = () => false) {
    this.#pace = pace;
    this.#isOverloaded = isOverloaded;
  }

  /**
   * Returns a stream of the same bytes that fails if its reader is too slow. Calls `onEnd`, at least once, at any end.
   */
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
            // Without a pending read, nothing else would free the resources of the source at once.
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
    const isOverloaded = this.#streams.size > this.#pace.maxUnpaced || this.#isOverloaded();
    for (const paced of [...this.#streams]) {
      if (isOverloaded && paced.isWhole && paced.taken < this.#pace.minBytes) {
        paced.end(new TsregError('the download was too slow while many others waited', { code: 'network' }));
      }
      paced.taken = 0;
      paced.isWhole = true;
    }
  }
}
