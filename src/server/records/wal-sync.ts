import { type FileHandle, open } from 'node:fs/promises';
import { CoalescedTask } from '../../io/disk/coalesced-task.ts';

/**
 * Syncs a write-ahead log to disk, off the event loop, so that commits survive a power failure. Commits during a sync
 * share the next one.
 */
export class WalSync {
  readonly #path: string;
  readonly #task = new CoalescedTask(() => this.#syncFile());
  #file: Promise<FileHandle> | null = null;

  /** `path`: the file of the log, which exists as long as the database is open. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when everything that was committed before the call is on disk. */
  sync(): Promise<void> {
    return this.#task.join();
  }

  close(): void {
    void this.#file?.then((file) => file.close()).catch(() => undefined);
    this.#file = null;
  }

  async #syncFile(): Promise<void> {
    this.#file ??= open(this.#path, 'r+');
    try {
      await (await this.#file).datasync();
    } catch (error) {
      // A later call tries again with a new file handle.
      this.close();
      throw error;
    }
  }
}
