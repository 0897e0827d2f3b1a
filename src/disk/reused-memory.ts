/** Spare room in a block, as a shift of its length: what comes later is often a little longer. */
const SPARE = 3;

/** Where memory comes from. */
export interface Memory {
  /** That many bytes, whatever is in them, at a multiple of eight in memory; nobody else's. */
  take(length: number): Buffer;
}

/**
 * Memory that is used again, for a process that ends soon. To come by new memory takes as long as to read a file into it.
 * Threads could share it, though none do: V8 does not count such memory, and so does not look for garbage because of it.
 */
export class ReusedMemory implements Memory {
  /** The shortest first. */
  #free: Buffer[] = [];
  #taken: Buffer[] = [];

  /** As the interface says, until `freeAll`. */
  take(length: number): Buffer {
    // Where all are too short the longest makes way: there are never more than were in use at once.
    const at = this.#free.findIndex((each) => each.length >= length);
    const [found] = this.#free.splice(at, 1);
    const fits = found !== undefined && found.length >= length;
    const block = fits ? found : Buffer.from(new SharedArrayBuffer(length + (length >> SPARE)));
    this.#taken.push(block);
    return block.subarray(0, length);
  }

  /** All that was taken will be given to others. */
  freeAll(): void {
    this.#free = [...this.#free, ...this.#taken].sort((a, b) => a.length - b.length);
    this.#taken = [];
  }
}
