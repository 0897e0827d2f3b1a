/** Request bodies. */

/** A request body, which need not be in memory. */
export interface UploadBody {
  /** Total bytes of all chunks. */
  readonly length: number;
  /** Returns the bytes, from the start at each call. */
  chunks(): AsyncIterable<Uint8Array>;
}

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
