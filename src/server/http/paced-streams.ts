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

/** The state of a stream. */
interface PacedStream {
  /** Bytes that the reader has taken during the current period. */
  takenBytes: number;
  /** False if the stream began during the current period. */
  hasFullPeriod: boolean;
  /** Cuts off the reader. */
  readonly fail: (reason: Error) => void;
}

/** Streams that each hold a unit of a limited resource. While it is scarce, slow readers are cut off. */
export class PacedStreams {
  readonly #pace: Pace;
  readonly #isOverloaded: () => boolean;
  readonly #streams = new Set<PacedStream>();
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
    // Assigned at once: `new ReadableStream` calls `start` before it returns.
    let fail: (reason: Error) => void = () => undefined;
    const paced: PacedStream = { takenBytes: 0, hasFullPeriod: false, fail: (reason) => fail(reason) };
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
            paced.takenBytes += value?.length ?? 0;
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

  #add(paced: PacedStream): void {
    this.#streams.add(paced);
    this.#timer ??= setInterval(() => this.#check(), this.#pace.periodMs).unref();
  }

  #remove(paced: PacedStream): void {
    this.#streams.delete(paced);
    if (this.#streams.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Cuts off slow readers at the end of each period, if the resource is scarce. */
  #check(): void {
    const isOverloaded = this.#streams.size > this.#pace.maxUnpaced || this.#isOverloaded();
    for (const paced of [...this.#streams]) {
      if (isOverloaded && paced.hasFullPeriod && paced.takenBytes < this.#pace.minBytes) {
        paced.fail(new TsregError('the download was too slow while many others waited', { code: 'network' }));
      }
      paced.takenBytes = 0;
      paced.hasFullPeriod = true;
    }
  }
}
