/** Bodies of requests. */

/** What is sent without being held in memory. */
export interface UploadBody {
  /** Bytes of all chunks together. */
  readonly length: number;
  /** The bytes, from the start each time that it is called. */
  chunks(): AsyncIterable<Uint8Array>;
}

const PART_BYTES = 64 * 1024;

/** Bytes that are there already, as a body. */
export function bodyOfBytes(bytes: Uint8Array): UploadBody {
  return {
    length: bytes.length,
    // oxlint-disable-next-line require-await
    async *chunks() {
      yield bytes;
    },
  };
}

/** A body in parts that are small enough to say how far it is. */
export async function* bodyParts(body: UploadBody): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body.chunks()) {
    for (let at = 0; at < chunk.length; at += PART_BYTES) yield chunk.subarray(at, at + PART_BYTES);
  }
}
