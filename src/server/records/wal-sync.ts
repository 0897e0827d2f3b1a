import { type FileHandle, open } from 'node:fs/promises';
import { SharedTurn } from '../../disk/shared-turn.ts';

/**
 * Makes what was committed to a write-ahead log survive a power failure, off the event loop: commits that come while
 * the disk is at work share the next turn.
 */
export class WalSync {
  readonly #path: string;
  readonly #turns = new SharedTurn(() => this.#synchronise());
  #file: Promise<FileHandle> | null = null;

  /** `path` is that of the log, which lasts as long as the database is open. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Returns when everything is safe that was committed before the call. */
  sync(): Promise<void> {
    return this.#turns.join();
  }

  /** Lets go of the file. */
  close(): void {
    void this.#file?.then((file) => file.close()).catch(() => undefined);
    this.#file = null;
  }

  async #synchronise(): Promise<void> {
    this.#file ??= open(this.#path, 'r+');
    try {
      await (await this.#file).datasync();
    } catch (error) {
      // Tried anew with a file of its own, should anybody ask again.
      this.close();
      throw error;
    }
  }
}
