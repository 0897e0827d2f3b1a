/** Download counts, written in batches. */
import type { Log } from '../shared/log.ts';
import { reasonOf } from '../shared/reason-of.ts';
import type { DownloadCount, CrateRecords } from '../store/crate-records.ts';

/** Download counts that are added to the records at intervals. A crash loses those since the last time. */
export class DownloadCounter {
  readonly #records: Pick<CrateRecords, 'addDownloads'>;
  readonly #log: Log;
  #counts = new Map<string, DownloadCount>();
  #timer: NodeJS.Timeout | null = null;

  constructor(records: Pick<CrateRecords, 'addDownloads'>, log: Log) {
    this.#records = records;
    this.#log = log;
  }

  /** Counts one download. */
  add(crate: string, version: string): void {
    const key = `${crate} ${version}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { crate, version, count });
  }

  /** Starts writing the counts every `everyMs` milliseconds, until `stop`. */
  start(everyMs: number): void {
    this.#timer = setInterval(() => void this.flush(), everyMs);
    this.#timer.unref();
  }

  /** Writes the counts. After a failure, keeps them for the next time. */
  async flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = this.#counts;
    this.#counts = new Map();
    try {
      await this.#records.addDownloads([...counts.values()]);
    } catch (error) {
      this.#log.warning('downloads-not-counted', { reason: reasonOf(error) });
      for (const [key, { crate, version, count }] of counts) {
        const later = this.#counts.get(key)?.count ?? 0;
        this.#counts.set(key, { crate, version, count: count + later });
      }
    }
  }

  /** Stops the timer and writes the remaining counts. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.flush();
  }
}
