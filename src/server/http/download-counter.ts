/** Download counts, written in batches. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../shared/clock.ts';
import { firstKeptDay } from '../shared/days.ts';
import type { Log } from '../shared/log.ts';
import { reasonOf } from '../shared/reason-of.ts';
import type { DownloadCount, CrateRecords } from '../store/crate-records.ts';
import type { DailyDownloadRecords } from '../store/daily-download-records.ts';

/** Services of a counter. */
export interface CounterServices {
  readonly records: Pick<CrateRecords, 'addDownloads'> & Pick<DailyDownloadRecords, 'deleteDailyDownloads'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Download counts that are added to the records at intervals. A crash loses those since the last time. A download counts
 * for the day on which it is added to the records.
 */
export class DownloadCounter {
  readonly #services: CounterServices;
  #counts = new Map<string, DownloadCount>();
  #timer: NodeJS.Timeout | null = null;
  /** The first day that the records still had to keep when old days were last deleted; null before the first time. */
  #firstKept: number | null = null;
  #deleting: Promise<void> | null = null;

  constructor(services: CounterServices) {
    this.#services = services;
  }

  /** Counts one download. */
  add(crate: string, version: string): void {
    const key = `${crate} ${version}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { crate, version, count });
  }

  /** Starts writing the counts every `everyMs` milliseconds, until `stop`. Deletes counts of old days once a day. */
  start(everyMs: number): void {
    this.#timer = setInterval(() => {
      void this.flush();
      this.#deleting ??= this.#deleteOldDays().finally(() => {
        this.#deleting = null;
      });
    }, everyMs);
    this.#timer.unref();
  }

  /** Writes the counts. After a failure, keeps them for the next time. */
  async flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = this.#counts;
    this.#counts = new Map();
    try {
      const { records, clock } = this.#services;
      await records.addDownloads([...counts.values()], clock.now());
    } catch (error) {
      this.#services.log.warning('downloads-not-counted', { reason: reasonOf(error) });
      for (const [key, { crate, version, count }] of counts) {
        const later = this.#counts.get(key)?.count ?? 0;
        this.#counts.set(key, { crate, version, count: count + later });
      }
    }
  }

  /** Stops the timer and writes the remaining counts. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#deleting;
    await this.flush();
  }

  async #deleteOldDays(): Promise<void> {
    const { records, clock, log } = this.#services;
    const firstKept = firstKeptDay(clock.now());
    if (firstKept === this.#firstKept) return;
    try {
      // Other requests run between the steps.
      while (await records.deleteDailyDownloads(firstKept)) {
        await nextTurn();
        if (this.#timer === null) return;
      }
      this.#firstKept = firstKept;
    } catch (error) {
      log.warning('old-downloads-not-deleted', { reason: reasonOf(error) });
    }
  }
}
