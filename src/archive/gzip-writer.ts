/** Making the gzip of a `.crate`. */
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

/**
 * Bytes that are compressed in one go: few at the beginning, so that a small archive occupies several threads too.
 * The result depends on these figures: others make another file of the same content.
 */
const FIRST_BLOCK = 64 * 1024;
const BLOCK = 256 * 1024;
const FIRST_BYTES = 1024 * 1024;
/** How far back deflate can refer. */
const WINDOW = 32 * 1024;
/** The best, as in cargo's archives, and as the head of each says. */
const LEVEL = 9;
const OUTPUT_CHUNK = 32 * 1024;
/** Twice the threads that Node compresses with, unless it is told otherwise: none shall wait for the reader. */
const MAX_RUNNING = 8;

const deflate = promisify(deflateRaw);

/**
 * Compresses what it is given into one gzip member, several blocks at the same time, each with the end of the one
 * before it as its dictionary. What comes out depends on the bytes alone: not on how they are handed over, on the
 * number of threads or on which of them is first. Another release of zlib may compress otherwise.
 *
 * Bytes are put into `free` and then counted by `advance`; whenever `isBehind`, `drain` has to be awaited.
 */
export class GzipWriter {
  readonly #name: string;
  readonly #output: Promise<(bytes: Uint8Array) => void>;
  #isBegun = false;
  readonly #running: Promise<Uint8Array>[] = [];
  /** The window, and behind it the block that is being filled: from where, how far, and where it is full. */
  #buffer = Buffer.allocUnsafe(WINDOW + FIRST_BLOCK);
  #start = 0;
  #end = 0;
  #limit = FIRST_BLOCK;
  #checksum = 0;
  #size = 0;

  /** `name` is said in the header; `output` gets the file's bytes in order, and is first awaited by `drain`. */
  constructor(name: string, output: Promise<(bytes: Uint8Array) => void>) {
    this.#name = name;
    this.#output = output;
  }

  /** Room for the next bytes; never empty. */
  get free(): Uint8Array {
    return this.#buffer.subarray(this.#end, this.#limit);
  }

  /** Takes the first `count` bytes of `free`. */
  advance(count: number): void {
    this.#end += count;
    if (this.#end === this.#limit) this.#startBlock(constants.Z_SYNC_FLUSH);
  }

  /** Takes bytes that stand elsewhere. */
  put(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const { free } = this;
      const part = bytes.subarray(at, at + free.length);
      free.set(part);
      this.advance(part.length);
      at += part.length;
    }
  }

  /** Takes that many zeros. */
  putZeros(count: number): void {
    for (let rest = count; rest > 0; ) {
      const { free } = this;
      const part = Math.min(rest, free.length);
      free.fill(0, 0, part);
      this.advance(part);
      rest -= part;
    }
  }

  /** True if as much is being compressed as should be. */
  get isBehind(): boolean {
    return this.#running.length >= MAX_RUNNING;
  }

  /** Waits for the oldest block and writes it. */
  async drain(): Promise<void> {
    const write = await this.#output;
    if (!this.#isBegun) write(gzipHeader(this.#name));
    this.#isBegun = true;
    const oldest = this.#running.shift();
    if (oldest !== undefined) write(await oldest);
  }

  /** Says that there are no more bytes. */
  end(): void {
    this.#startBlock(constants.Z_FINISH);
  }

  /** Writes what is left after `end`, and the trailer. */
  async finish(): Promise<void> {
    while (this.#running.length > 0) await this.drain();
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#checksum, 0);
    trailer.writeUInt32LE(this.#size % 2 ** 32, 4);
    (await this.#output)(trailer);
  }

  /** Waits until no thread reads any of the buffers. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #startBlock(finishFlush: number): void {
    const buffer = this.#buffer;
    const block = buffer.subarray(this.#start, this.#end);
    const window = buffer.subarray(Math.max(0, this.#start - WINDOW), this.#start);
    this.#checksum = crc32(block, this.#checksum);
    this.#size += block.length;
    const dictionary = window.length === 0 ? {} : { dictionary: window };
    const running = deflate(block, { level: LEVEL, chunkSize: OUTPUT_CHUNK, finishFlush, ...dictionary });
    // Whoever awaits it hears of a failure.
    running.catch(() => {});
    this.#running.push(running);
    const size = this.#size < FIRST_BYTES ? FIRST_BLOCK : BLOCK;
    const next = Buffer.allocUnsafe(WINDOW + size);
    this.#start = buffer.copy(next, 0, Math.max(0, this.#end - WINDOW), this.#end);
    this.#end = this.#start;
    this.#limit = this.#start + size;
    this.#buffer = next;
  }
}

/** Says that the data has a name, no time, the best compression and no system that it comes from. */
function gzipHeader(name: string): Uint8Array {
  return Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 2, 255]), Buffer.from(`${name}\0`)]);
}
