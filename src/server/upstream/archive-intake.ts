import { createHash } from 'node:crypto';
import type { PartReceiver } from '../../io/http/message.ts';
import type { Blobs, BlobWriter, FinishedBlob } from '../store/blobs.ts';

/**
 * A writer for an archive that is being downloaded: `begin` at each attempt, `finish` once, and `discard` always at the
 * end. An archive with the wrong checksum never becomes visible.
 */
export class ArchiveIntake {
  readonly #blobs: Pick<Blobs, 'begin'>;
  /** All steps so far, one after the other. Rejects with the first error: the steps after it do not run. */
  #work: Promise<void> = Promise.resolve();
  #writer: BlobWriter | null = null;
  #hash = createHash('sha256');
  #isFinished = false;

  constructor(blobs: Pick<Blobs, 'begin'>) {
    this.#blobs = blobs;
  }

  /** Starts over, and returns the function that takes the parts, in place of the earlier one. `finish` reports errors. */
  begin(): PartReceiver {
    this.#hash = createHash('sha256');
    void this.#queue(async () => {
      const previous = this.#writer;
      // `discard` must not remove it again if a step fails here.
      this.#writer = null;
      await previous?.discard();
      this.#writer = await this.#blobs.begin();
    });
    return (part) => {
      this.#hash.update(part);
      return this.#queue(async () => await this.#writer?.write(part));
    };
  }

  /** Stores the archive if it has this checksum (hex SHA-256), else returns null. Must be called only once. */
  async finish(checksum: string): Promise<FinishedBlob | null> {
    await this.#work;
    if (this.#hash.digest('hex') !== checksum || this.#writer === null) return null;
    const blob = await this.#writer.finish();
    this.#isFinished = true;
    return blob;
  }

  /** Removes the archive, unless `finish` stored it. */
  async discard(): Promise<void> {
    await this.#work.catch(() => undefined);
    if (!this.#isFinished) await this.#writer?.discard();
  }

  /** Queues `step`. The returned promise waits for it and never rejects: `#work` keeps the error. */
  #queue(step: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(step);
    return this.#work.catch(() => undefined);
  }
}
