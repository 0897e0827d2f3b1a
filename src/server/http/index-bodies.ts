import { SingleFlight } from '../upstream/single-flight.ts';
import { Slots } from '../upstream/slots.ts';
import { ApiError } from './api-error.ts';

/** Bytes of all bodies together. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Each holds the text of a file beside what is made of it. */
const BUILDS_AT_ONCE = 4;
const MAX_WAITING = 2_000;
const RETRY_AFTER_SECONDS = '5';

/** A body for one reader. */
export interface HeldBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** To be called once the reader has it all, or is gone; doing that twice is fine. */
  readonly release: () => void;
}

interface Body {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readers: number;
}

/**
 * Bodies of index files as they are sent: each is made once and held once, however many read it. Those that are read
 * are held until the last reader is done; the others as long as there is room, the least recently used go first.
 */
export class IndexBodies {
  readonly #maxBytes: number;
  readonly #maxWholeBytes: number;
  /** In the order of their last use. */
  readonly #bodies = new Map<string, Body>();
  readonly #builds = new SingleFlight<Body | null>();
  readonly #slots = new Slots(BUILDS_AT_ONCE, MAX_WAITING);
  #bytes = 0;
  #readBytes = 0;

  /** Bodies of up to `maxWholeBytes` are sent at once: they need no room, so that slow readers of others keep no one from them. */
  constructor(maxBytes: number = MAX_BYTES, maxWholeBytes = 0) {
    this.#maxBytes = maxBytes;
    this.#maxWholeBytes = maxWholeBytes;
  }

  /** True while more than half of the room is taken by bodies that are being read. */
  get isScarce(): boolean {
    return this.#readBytes > this.#maxBytes / 2;
  }

  /**
   * The body of `key`, which names its content; `build` makes it, or gives null where that is not to be had any more.
   * Throws a 503 where readers hold so many others that there is no room for it, unless it is sent at once.
   */
  async take(key: string, build: () => Promise<Uint8Array<ArrayBuffer> | null>): Promise<HeldBody | null> {
    const body = this.#bodies.get(key) ?? (await this.#builds.run(key, () => this.#build(key, build)));
    return body === null ? null : this.#hold(key, body);
  }

  async #build(key: string, build: () => Promise<Uint8Array<ArrayBuffer> | null>): Promise<Body | null> {
    const bytes = await this.#slots.run(build, busy);
    if (bytes === null) return null;
    const body = { bytes, readers: 0 };
    if (!this.#makeRoom(bytes.length)) {
      if (bytes.length > this.#maxWholeBytes) throw busy();
      return body;
    }
    this.#bodies.set(key, body);
    this.#bytes += bytes.length;
    // Nobody has it yet of those who wait for it.
    const { release } = this.#hold(key, body);
    setImmediate(release);
    return body;
  }

  /** False where those that are read leave no room. */
  #makeRoom(bytes: number): boolean {
    if (this.#readBytes + bytes > this.#maxBytes) return false;
    for (const [key, body] of this.#bodies) {
      if (this.#bytes + bytes <= this.#maxBytes) break;
      if (body.readers > 0) continue;
      this.#bodies.delete(key);
      this.#bytes -= body.bytes.length;
    }
    return true;
  }

  #hold(key: string, body: Body): HeldBody {
    if (body.readers === 0) this.#readBytes += body.bytes.length;
    body.readers += 1;
    // One that had no room is not among them.
    if (this.#bodies.delete(key)) this.#bodies.set(key, body);
    let isHeld = true;
    return {
      bytes: body.bytes,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        body.readers -= 1;
        if (body.readers === 0) this.#readBytes -= body.bytes.length;
      },
    };
  }
}

function busy(): ApiError {
  return new ApiError(503, 'too many large index files are being read; try again later', {
    'Retry-After': RETRY_AFTER_SECONDS,
  });
}
