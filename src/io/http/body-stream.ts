/** Streams of request bodies. A separate file, because the declaration of `UploadBody` must not need Node's types. */
import { Readable } from 'node:stream';
import type { UploadBody } from './upload-body.ts';

const PART_BYTES = 64 * 1024;

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
    for (let offset = 0; offset < chunk.length; offset += PART_BYTES)
      yield chunk.subarray(offset, offset + PART_BYTES);
  }
}
