/** Downloads, counted without writing each of them. */
import type { Log } from '../log.ts';
import type { DownloadCount, Records } from '../store.ts';
import { reasonOf } from '../reason-of.ts';

/** Collects downloads and adds them to the records every few seconds. A crash loses those of the last few. */
export class DownloadCounter {
  readonly #records: Pick<Records, 'addDownloads'>;
  readonly #log: Log;
  #counts = new Map<string, DownloadCount>();
  #timer: NodeJS.Timeout | null = null;

  constructor(records: Pick<Records, 'addDownloads'>, log: Log) {
    this.#records = records;
    this.#log = log;
  }

  /** Counts one download. */
  add(crate: string, version: string): void {
    const key = `${crate} ${version}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { crate, version, count });
  }

  /** Writes regularly from now on, until `stop`. */
  start(everyMs: number): void {
    this.#timer = setInterval(() => void this.flush(), everyMs);
    this.#timer.unref();
  }

  /** Writes what was counted; after a failure it is kept for the next time. */
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

  /** Writes what is left. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.flush();
  }
}
