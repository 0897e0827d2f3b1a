/**
 * What is sent to publish a package: a length, that many bytes of JSON, a length, that many bytes of archive; both
 * lengths of 32 bits, little-endian. Cargo Book: Registry Web API, Publish.
 */
import { TsregError } from '../errors/error.ts';

/** How long the parts may be. */
export interface PublishBodyLimits {
  readonly maxMetadataBytes: number;
  readonly maxArchiveBytes: number;
}

/** A body of which the JSON has been read. */
export interface PublishBody {
  readonly metadata: Uint8Array;
  readonly archiveLength: number;
  /**
   * The archive as it arrives. Throws `source` where the body ends early or goes on behind it, so that it is good
   * only once it has been read to its end.
   */
  readonly archive: AsyncIterable<Uint8Array>;
}

const LENGTH_BYTES = 4;

/** A body in one piece. */
export function encodePublishBody(metadata: Uint8Array, archive: Uint8Array): Uint8Array {
  return Buffer.concat([encodeLength(metadata.length), metadata, encodeLength(archive.length), archive]);
}

/**
 * Reads a body as it arrives, up to the archive. Throws `source` for lengths that are not right, and `limit` for parts
 * that are too long, before they are read.
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
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt32LE(length);
  return bytes;
}

/** Takes parts of known lengths off a stream. */
class BodyReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** What has arrived and not been taken. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  async readLength(part: string): Promise<number> {
    const bytes = await this.read(LENGTH_BYTES, `the length of the ${part}`);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  }

  /** Nothing is set aside for bytes that have not arrived. */
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

  async *stream(length: number): AsyncGenerator<Uint8Array, void, undefined> {
    for (let missing = length; missing > 0; ) {
      const part = await this.#take(missing);
      if (part === null) throw malformed(`the body ends ${missing} bytes before the end of the archive`);
      missing -= part.length;
      yield part;
    }
    if ((await this.#take(1)) !== null) throw malformed('the body has data after the archive');
  }

  /** Between one byte and `max`; null at the end. */
  async #take(max: number): Promise<Uint8Array | null> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return null;
      this.#rest = next.value;
    }
    const part = this.#rest.subarray(0, max);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }
}

function malformed(message: string): TsregError {
  return new TsregError(message, { code: 'source' });
}

function tooLarge(message: string): TsregError {
  return new TsregError(message, { code: 'limit' });
}
