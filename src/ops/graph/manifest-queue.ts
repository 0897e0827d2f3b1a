/** Manifests of unpacked packages that are read by a second thread while this one does something else. */
import { setImmediate } from 'node:timers/promises';
import type { PackageLocation } from '../../cache/package-pack.ts';
import type { WorkerPool } from '../../disk/worker-pool.ts';
import type { ReadTask } from '../worker.ts';
import { IndependentReader, type ReadPackage } from './read-package.ts';

/** Packages that a thread reads at a time. */
const BATCH = 16;

/** How packages are read. */
export interface ManifestQueueOptions {
  /** Absolute path of `CARGO_HOME`. */
  readonly cargoHome: string;
  readonly workers: WorkerPool;
}

/** Reads packages from both ends of a list: the other threads from its start, this one from its end once it waits. */
export class ManifestQueue {
  readonly #waiting: PackageLocation[];
  readonly #cargoHome: string;
  readonly #reader: IndependentReader;
  readonly #read = new Map<string, ReadPackage>();
  readonly #others: Promise<void>;

  /** Begins at once, if there is enough to do for a second thread. */
  constructor(locations: readonly PackageLocation[], { cargoHome, workers }: ManifestQueueOptions) {
    this.#waiting = [...locations];
    this.#cargoHome = cargoHome;
    this.#reader = new IndependentReader(cargoHome);
    workers.expect(locations.length / BATCH);
    this.#others = workers.isUsable ? this.#readBy(workers) : Promise.resolve();
  }

  /** Waits for all of them: what was read, by the folder of the package. Left out is what an `IndependentReader` cannot read. */
  async finish(): Promise<ReadonlyMap<string, ReadPackage>> {
    for (let batch = this.#waiting.splice(-BATCH); batch.length > 0; batch = this.#waiting.splice(-BATCH)) {
      this.#add(
        batch,
        batch.map((each) => this.#reader.read(each)),
      );
      // Lets the other threads have their next batch.
      await setImmediate();
    }
    await this.#others;
    return this.#read;
  }

  async #readBy(workers: WorkerPool): Promise<void> {
    for (
      let batch = this.#waiting.splice(0, BATCH);
      batch.length > 0;
      batch = this.#waiting.splice(0, BATCH)
    ) {
      const task: ReadTask = { kind: 'read', cargoHome: this.#cargoHome, packages: batch };
      const read = await workers.run<ReadTask, readonly (ReadPackage | null)[]>(task);
      if (read === null) {
        // There is no thread after all.
        this.#waiting.push(...batch);
        return;
      }
      this.#add(batch, read);
    }
  }

  #add(batch: readonly PackageLocation[], read: readonly (ReadPackage | null)[]): void {
    for (const [at, { root }] of batch.entries()) {
      const found = read[at] ?? null;
      if (found !== null) this.#read.set(root, found);
    }
  }
}
