import { closeSync, openSync, readSync } from 'node:fs';
import { errnoOf } from './errno.ts';

/** Nearly all files that are read so are smaller. Of memory that is never written nothing is used. */
const INITIAL_BYTES = 4 * 1024 * 1024;

/** Reads one file after the other into the same memory, for who looks at each for a moment only. */
export class ScratchReader {
  #memory = Buffer.allocUnsafeSlow(INITIAL_BYTES);

  /** What a file holds, until the next one is read; null where there is none that may be read. */
  read(path: string): Buffer | null {
    try {
      const fd = openSync(path, 'r');
      try {
        const length = this.#fill(fd);
        return this.#memory.subarray(0, length);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      if (errnoOf(error) !== null) return null;
      throw error;
    }
  }

  #fill(fd: number): number {
    for (let filled = 0; ; ) {
      const count = readSync(fd, this.#memory, filled, this.#memory.length - filled, null);
      filled += count;
      // Less than there was room for is all that the file had left.
      if (filled < this.#memory.length) return filled;
      const larger = Buffer.allocUnsafeSlow(this.#memory.length * 2);
      this.#memory.copy(larger);
      this.#memory = larger;
    }
  }
}
