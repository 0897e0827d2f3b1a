/** What is sent without being held in memory. */
export interface UploadBody {
  /** Bytes of all chunks together. */
  readonly length: number;
  /** The bytes, from the start each time that it is called. */
  chunks(): AsyncIterable<Uint8Array>;
}
