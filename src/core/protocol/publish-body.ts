/**
 * The body of a publish request: a length, that many bytes of JSON, a length, that many bytes of archive. Both lengths
 * are 32-bit little-endian. Cargo Book: Registry Web API, Publish.
 */
import { TsregError } from '../errors/error.ts';

/** Maximum lengths of the parts. */
export interface PublishBodyLimits {
  readonly maxMetadataBytes: number;
  readonly maxArchiveBytes: number;
}

/** A body whose JSON has been read. */
export interface PublishBody {
  readonly metadata: Uint8Array;
  readonly archiveLength: number;
  /**
   * The archive as it arrives, to be read once. Throws `source` if the body ends early or continues after it. So the
   * archive is only valid once it has been read to its end.
   */
  readonly archive: AsyncIterable<Uint8Array>;
}

const LENGTH_BYTES = 4;
const MAX_LENGTH = 0xffff_ffff;

/** Returns the part of a body that precedes the bytes of the archive. Throws `limit` beyond 32 bits. */
export function encodePublishHead(metadata: Uint8Array, archiveLength: number): Uint8Array {
  return Buffer.concat([encodeLength(metadata.length), metadata, encodeLength(archiveLength)]);
}

/**
 * Reads a body up to the archive. Throws `source` if it ends early, and `limit` if the declared length of a part is too
 * large, before that part is read.
 */
export async function decodePublishBody(
  body: AsyncIterable<Uint8Array>,
  { maxMetadataBytes, maxArchiveBytes }: PublishBodyLimits,
): Promise<PublishBody> {
  const reader = new BodyReader(body);
  const metadataLength = await reader.readLength('metadata');
  if (metadataLength > maxMetadataBytes) {
    throw tooLarge(`the metadata may have at most ${maxMetadataBytes} bytes, and has ${metadataLength}`);
  }
  const metadata = await reader.read(metadataLength, `the metadata's ${metadataLength} bytes`);
  const archiveLength = await reader.readLength('archive');
  if (archiveLength > maxArchiveBytes) {
    throw tooLarge(`the archive may have at most ${maxArchiveBytes} bytes, and has ${archiveLength}`);
  }
  return { metadata, archiveLength, archive: reader.stream(archiveLength) };
}

function encodeLength(length: number): Uint8Array {
  if (length > MAX_LENGTH) throw tooLarge(`a publish request cannot have a part of ${length} bytes`);
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt32LE(length);
  return bytes;
}

/** A reader of parts with known lengths from a stream. */
class BodyReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** Received bytes that were not read yet. */
  #unread: Uint8Array = new Uint8Array(0);

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /** Reads the length of a part. */
  async readLength(part: string): Promise<number> {
    const bytes = await this.read(LENGTH_BYTES, `the length of the ${part}`);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  }

  /** Reads `length` bytes, which an error names `what`. Allocates no memory for bytes that have not arrived. */
  async read(length: number, what: string): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let missing = length; missing > 0; ) {
      const part = await this.#take(missing);
      if (part === null) throw malformed(`the body ends before ${what}`);
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** Yields `length` bytes as they arrive. Throws `source` if the body ends early or continues after them. */
  async *stream(length: number): AsyncGenerator<Uint8Array, void, undefined> {
    for (let missing = length; missing > 0; ) {
      const part = await this.#take(missing);
      if (part === null) throw malformed(`the body ends ${missing} bytes before the end of the archive`);
      missing -= part.length;
      yield part;
    }
    if ((await this.#take(1)) !== null) throw malformed('the body has data after the archive');
  }

  /** Returns between one byte and `max` bytes; null at the end. */
  async #take(max: number): Promise<Uint8Array | null> {
    while (this.#unread.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return null;
      this.#unread = next.value;
    }
    const part = this.#unread.subarray(0, max);
    this.#unread = this.#unread.subarray(part.length);
    return part;
  }
}

function malformed(message: string): TsregError {
  return new TsregError(message, { code: 'source' });
}

function tooLarge(message: string): TsregError {
  return new TsregError(message, { code: 'limit' });
}
