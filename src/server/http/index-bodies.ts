import { SingleFlight } from '../shared/single-flight.ts';
import { Slots } from '../shared/slots.ts';
import { ApiError } from './api-error.ts';

/** Maximum bytes of all bodies together. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Each build holds the text of a file in addition to the body made from it. */
const BUILDS_AT_ONCE = 4;
/** Maximum builds that wait for their turn. */
const MAX_WAITING = 2_000;
const RETRY_AFTER_SECONDS = '5';

/** A body for one reader. */
export interface HeldBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Must be called once the reader has received everything or is gone. May be called twice. */
  readonly release: () => void;
}

/** A body and its readers. It is evicted only without readers. */
interface Body {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The number of `HeldBody`s that are not released. */
  readers: number;
}

/**
 * A cache of the bodies of index files as they are sent. All readers of a body share it. A body stays cached until its
 * last reader is done. Unused bodies are evicted if there is no room, the least recently used ones first.
 */
export class IndexBodies {
  readonly #maxBytes: number;
  readonly #maxWholeBytes: number;
  /** Least recently used first. */
  readonly #bodies = new Map<string, Body>();
  readonly #builds = new SingleFlight<Body | null>();
  readonly #slots = new Slots(BUILDS_AT_ONCE, MAX_WAITING);
  /** Bytes of all cached bodies. */
  #bytes = 0;
  /** Bytes of all bodies that are being read, cached or not. */
  #readBytes = 0;

  /**
   * Creates a cache of at most `maxBytes`. Bodies of up to `maxWholeBytes` are sent at once and need no room, so that
   * slow readers of other bodies never block them.
   */
  constructor(maxBytes: number = MAX_BYTES, maxWholeBytes = 0) {
    this.#maxBytes = maxBytes;
    this.#maxWholeBytes = maxWholeBytes;
  }

  /** Whether bodies that are being read take more than half of the room. */
  get isOverloaded(): boolean {
    return this.#readBytes > this.#maxBytes / 2;
  }

  /**
   * Returns the body for `key`, which identifies its content. `build` makes the body, or returns null if that content
   * is gone. Throws a 503 if too many builds wait, or if bodies that are being read leave no room; a body that is sent
   * at once needs none.
   */
  async take(key: string, build: () => Promise<Uint8Array<ArrayBuffer> | null>): Promise<HeldBody | null> {
    const body = this.#bodies.get(key) ?? (await this.#builds.run(key, () => this.#build(key, build)));
    return body === null ? null : this.#hold(key, body);
  }

  /** Makes a body, and caches it if there is room. Throws a 503 if it needs room and there is none. */
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
    // Hold the body for the callers that still wait for it.
    const { release } = this.#hold(key, body);
    setImmediate(release);
    return body;
  }

  /** Evicts unused bodies. Returns false if those that are being read leave no room. */
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

  /** Adds a reader. */
  #hold(key: string, body: Body): HeldBody {
    if (body.readers === 0) this.#readBytes += body.bytes.length;
    body.readers += 1;
    // Move the body to the end of the order. A body that got no room is not in the map.
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
