/** Request bodies. */
import { Readable } from 'node:stream';

/** A request body, which need not be in memory. */
export interface UploadBody {
  /** Total bytes of all chunks. */
  readonly length: number;
  /** Returns the bytes, from the start at each call. */
  chunks(): AsyncIterable<Uint8Array>;
}

const PART_BYTES = 64 * 1024;

/** Returns bytes in memory as a body. */
export function bodyOfBytes(bytes: Uint8Array): UploadBody {
  return {
    length: bytes.length,
    // Asynchronous as other bodies are, although nothing here takes time.
    // oxlint-disable-next-line require-await
    async *chunks() {
      yield bytes;
    },
  };
}

/** Returns a body as a stream. Calls `onSent` with the bytes of each part when the next one is requested. */
export function bodyStream(body: UploadBody, onSent: (bytes: number) => void): Readable {
  async function* parts(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const part of bodyParts(body)) {
      yield part;
      onSent(part.length);
    }
  }
  return Readable.from(parts(), { objectMode: false });
}

/** Yields a body in parts small enough to report progress. */
export async function* bodyParts(body: UploadBody): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body.chunks()) {
    for (let at = 0; at < chunk.length; at += PART_BYTES) yield chunk.subarray(at, at + PART_BYTES);
  }
}
