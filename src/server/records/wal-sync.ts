import { type FileHandle, open } from 'node:fs/promises';

/**
 * Makes what was committed to a write-ahead log survive a power failure, off the event loop: commits that come while
 * the disk is at work share the next turn.
 */
export class WalSync {
  readonly #path: string;
  #file: Promise<FileHandle> | null = null;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  /** `path` is that of the log, which lasts as long as the database is open. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Returns when everything is safe that was committed before the call. */
  sync(): Promise<void> {
    if (this.#running === null) return this.#start();
    // The turn that has begun may miss what was written since.
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  /** Lets go of the file. */
  close(): void {
    void this.#file?.then((file) => file.close()).catch(() => undefined);
    this.#file = null;
  }

  #start(): Promise<void> {
    this.#next = null;
    const turn = this.#synchronise().finally(() => {
      if (this.#running === turn) this.#running = null;
    });
    this.#running = turn;
    return turn;
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
