import { createHash } from 'node:crypto';
import type { PartReceiver } from '../../http/message.ts';
import type { Blobs, BlobWriter, FinishedBlob } from '../store.ts';

/** Writes an archive while it comes; what does not turn out to be the right one is never seen. */
export class ArchiveIntake {
  readonly #blobs: Pick<Blobs, 'begin'>;
  /** Everything that was begun so far, one after the other. */
  #work: Promise<void> = Promise.resolve();
  #writer: BlobWriter | null = null;
  #hash = createHash('sha256');
  #isFinished = false;

  constructor(blobs: Pick<Blobs, 'begin'>) {
    this.#blobs = blobs;
  }

  /** Starts over; what it returns takes the parts. What fails is told by `finish` alone. */
  begin(): PartReceiver {
    this.#hash = createHash('sha256');
    void this.#queue(async () => {
      await this.#writer?.discard();
      this.#writer = await this.#blobs.begin();
    });
    return (part) => {
      this.#hash.update(part);
      return this.#queue(async () => await this.#writer?.write(part));
    };
  }

  /** Stores what has come, if it has this checksum (hex SHA-256); else null. To be called once. */
  async finish(checksum: string): Promise<FinishedBlob | null> {
    await this.#work;
    if (this.#hash.digest('hex') !== checksum || this.#writer === null) return null;
    const blob = await this.#writer.finish();
    this.#isFinished = true;
    return blob;
  }

  /** Removes what was not finished. */
  async discard(): Promise<void> {
    await this.#work.catch(() => undefined);
    if (!this.#isFinished) await this.#writer?.discard();
  }

  /** Settles when the step is over; never rejects. */
  #queue(step: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(step);
    return this.#work.catch(() => undefined);
  }
}
