/** Writes the gzip file of a `.crate`. RFC 1952; for the blocks, RFC 1951. */
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

/**
 * Bytes to compress at once: `FIRST_BLOCK` in the first `FIRST_BYTES`, so that a small archive also occupies several
 * threads, then `BLOCK`. The output depends on these figures: others produce a different file from the same content.
 */
const FIRST_BLOCK = 64 * 1024;
const BLOCK = 256 * 1024;
const FIRST_BYTES = 1024 * 1024;
/** The maximum distance of deflate's references. */
const WINDOW = 32 * 1024;
/** The best compression, which cargo's archives use and their gzip headers declare. */
const LEVEL = 9;
/** The bytes of memory that zlib adds at once for its output. */
const OUTPUT_CHUNK = 32 * 1024;
/** Twice Node's default number of compression threads, so that none waits for input. */
const MAX_RUNNING = 8;

const deflate = promisify(deflateRaw);

/**
 * Compresses its input into one gzip member. Several blocks are compressed at once, each with the end of the previous
 * block as its dictionary. The output depends only on the bytes: not on how they are passed, the number of threads or
 * their timing. Another release of zlib may produce another output.
 *
 * Write bytes into `free` and count them with `advance`. While `isBehind`, await `drain`.
 */
export class GzipWriter {
  readonly #name: string;
  readonly #output: Promise<(bytes: Uint8Array) => void>;
  #isBegun = false;
  /** Blocks that are being compressed, in the order of the output. */
  readonly #runningBlocks: Promise<Uint8Array>[] = [];
  /** The end of the previous block, up to `#start`, and after it the block that is being filled. */
  #buffer = Buffer.allocUnsafe(WINDOW + FIRST_BLOCK);
  /** The start of the block that is being filled. */
  #start = 0;
  /** The end of the bytes that are written so far. */
  #end = 0;
  /** The end of the block when it is full. */
  #limit = FIRST_BLOCK;
  /** CRC-32 and number of the bytes in all blocks that were started. */
  #checksum = 0;
  #size = 0;

  /** `name` goes into the header. `output` receives the file's bytes in order; `drain` awaits it first. */
  constructor(name: string, output: Promise<(bytes: Uint8Array) => void>) {
    this.#name = name;
    this.#output = output;
  }

  /** Space for the next bytes; never empty. */
  get free(): Uint8Array {
    return this.#buffer.subarray(this.#end, this.#limit);
  }

  /** Appends the first `count` bytes of `free`. */
  advance(count: number): void {
    this.#end += count;
    if (this.#end === this.#limit) this.#startBlock(constants.Z_SYNC_FLUSH);
  }

  /** Appends a copy of `bytes`. */
  put(bytes: Uint8Array): void {
    for (let copied = 0; copied < bytes.length; ) {
      const { free } = this;
      const part = bytes.subarray(copied, copied + free.length);
      free.set(part);
      this.advance(part.length);
      copied += part.length;
    }
  }

  /** Appends `count` zeros. */
  putZeros(count: number): void {
    for (let remainingZeros = count; remainingZeros > 0; ) {
      const { free } = this;
      const length = Math.min(remainingZeros, free.length);
      free.fill(0, 0, length);
      this.advance(length);
      remainingZeros -= length;
    }
  }

  /** True if enough blocks are being compressed. Advisory: respect it to bound memory. */
  get isBehind(): boolean {
    return this.#runningBlocks.length >= MAX_RUNNING;
  }

  /** Waits for the oldest block and writes it. Writes the header before the first one. */
  async drain(): Promise<void> {
    const write = await this.#output;
    if (!this.#isBegun) write(gzipHeader(this.#name));
    this.#isBegun = true;
    const oldest = this.#runningBlocks.shift();
    if (oldest !== undefined) write(await oldest);
  }

  /** Ends the input. Then only `finish` may follow. */
  end(): void {
    this.#startBlock(constants.Z_FINISH);
  }

  /** Writes the remaining output, and the trailer. Call it once, after `end`. */
  async finish(): Promise<void> {
    while (this.#runningBlocks.length > 0) await this.drain();
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#checksum, 0);
    trailer.writeUInt32LE(this.#size % 2 ** 32, 4);
    (await this.#output)(trailer);
  }

  /** Waits until no thread reads any buffer. Never rejects. Call it also after a failure, which leaves threads busy. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#runningBlocks);
  }

  /**
   * Starts to compress the current block, and begins the next one with the end of this one as its window. `finishFlush`
   * is `Z_FINISH` for the last block. Others end at a whole byte (`Z_SYNC_FLUSH`), so that the outputs can be joined.
   */
  #startBlock(finishFlush: number): void {
    const buffer = this.#buffer;
    const block = buffer.subarray(this.#start, this.#end);
    const window = buffer.subarray(Math.max(0, this.#start - WINDOW), this.#start);
    this.#checksum = crc32(block, this.#checksum);
    this.#size += block.length;
    const dictionary = window.length === 0 ? {} : { dictionary: window };
    const running = deflate(block, { level: LEVEL, chunkSize: OUTPUT_CHUNK, finishFlush, ...dictionary });
    // `drain` throws a failure.
    running.catch(() => {});
    this.#runningBlocks.push(running);
    const nextSize = this.#size < FIRST_BYTES ? FIRST_BLOCK : BLOCK;
    const nextBuffer = Buffer.allocUnsafe(WINDOW + nextSize);
    this.#start = buffer.copy(nextBuffer, 0, Math.max(0, this.#end - WINDOW), this.#end);
    this.#end = this.#start;
    this.#limit = this.#start + nextSize;
    this.#buffer = nextBuffer;
  }
}

/**
 * The header before its optional fields. RFC 1952, section 2.3: ID1, ID2, the method deflate, the flag FNAME, no time
 * (four bytes), the best compression, an unknown system.
 */
const HEADER_START = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 2, 255]);

/** Returns the header of a file with a name. */
function gzipHeader(name: string): Uint8Array {
  return Buffer.concat([HEADER_START, Buffer.from(`${name}\0`)]);
}
