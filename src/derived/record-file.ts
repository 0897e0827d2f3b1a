/** The bytes of a record, as it was written. */
export interface RecordFile {
  readonly length: number;
  /**
   * These bytes, at a multiple of eight in memory if `from` is one. Throws `DamagedRecordError` where they cannot be
   * read.
   */
  bytes(from: number, to: number): Uint8Array;
  /**
   * As `bytes`, or only the first of them, at least one: good until the next ones are asked for in this way. To come by
   * memory for all bytes takes longer than to read them.
   */
  glimpse(from: number, to: number): Uint8Array;
}

/** A record that is in memory. */
export class RecordInMemory implements RecordFile {
  readonly length: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.length = bytes.length;
    this.#bytes = bytes;
  }

  bytes(from: number, to: number): Uint8Array {
    const { buffer, byteOffset } = this.#bytes;
    // No part of a `Buffer`, whose class makes every view slower.
    return new Uint8Array(buffer, byteOffset + from, to - from);
  }

  glimpse(from: number, to: number): Uint8Array {
    return this.bytes(from, to);
  }
}
