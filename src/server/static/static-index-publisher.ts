/** Publishes the index and the archives as static files that follow the records. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { reasonOf } from '../shared/reason-of.ts';
import type { Records } from '../store/store.ts';
import type { StaticFiles, StaticWrite } from '../store/static-records.ts';
import {
  STATIC_CONFIG_PATH,
  staticArchivePath,
  staticArchives,
  staticDownloads,
  staticIndexPath,
  staticIndexText,
} from './static-layout.ts';

/** The services that the publisher of static files needs. */
export interface StaticIndexOptions {
  readonly records: Records;
  readonly files: StaticFiles;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * How long a crate is reserved for one writer. If that writer dies, others wait as long. `LAST_WRITE_MS` of it is left
 * for the index file: archives that are not copied by then are copied in the next write.
 */
const RESERVED_MS = 10_000;
const LAST_WRITE_MS = 6_000;
/** Aborts the last write this long before the reservation ends. */
const SPARE_MS = 1_000;
/** Longest time that a request waits for its static files. */
const MAX_FLUSH_MS = 20_000;
/** Pause before a crate that another writer has is tried again. */
const BUSY_WAIT_MS = 40;
/** Outdated crates to read from the records at a time. */
const BATCH_SIZE = 200;
const CRATES_AT_ONCE = 8;
const COPIES_AT_ONCE = 8;

const INDEX_HEADERS = { cacheControl: 'public, no-cache', contentType: 'text/plain; charset=utf-8' };

/**
 * Writes static files from the records, in any number of processes at once. The records note outdated crates in the
 * transaction that changes them, so any process can finish the work of another. Each crate has one writer at a time,
 * and a write replaces only the file that existed before the records were read. So files never become older, and
 * eventually match the records. Archives are written before the index refers to them.
 */
export class StaticIndexPublisher {
  readonly #records: Records;
  readonly #files: StaticFiles;
  readonly #clock: Clock;
  readonly #log: Log;
  #timer: NodeJS.Timeout | null = null;
  /** The round of writes in progress; null if there is none. */
  #round: Promise<void> | null = null;
  #isStopping = false;
  #hasConfig = false;

  constructor({ records, files, clock, log }: StaticIndexOptions) {
    this.#records = records;
    this.#files = files;
    this.#clock = clock;
    this.#log = log;
  }

  /** Writes `config.json` and outdated files, now and every `everyMs` until `stop`. Call it at most once. */
  start(config: StaticConfig, everyMs: number): void {
    const round = (): void => {
      this.#round ??= this.#catchUp(config).finally(() => {
        this.#round = null;
      });
    };
    this.#timer = setInterval(round, everyMs);
    this.#timer.unref();
    round();
  }

  /** Stops, and waits for writes in progress. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#round;
  }

  /**
   * Writes the files of a crate. Returns true once they are as new as the records at the call. Returns false if this
   * takes too long or the store fails; a later round then writes them.
   */
  async flush(crate: string): Promise<boolean> {
    const deadline = performance.now() + MAX_FLUSH_MS;
    try {
      for (;;) {
        const outcome = await this.#write(crate.toLowerCase());
        if (outcome === 'unchanged' || outcome === 'written') return true;
        if (performance.now() > deadline) return false;
        await wait(BUSY_WAIT_MS);
      }
    } catch (error) {
      this.#warn(crate, error);
      return false;
    }
  }

  /** Writes outdated files, except those of other writers. Returns false if some of them are not written. */
  async flushAll(): Promise<boolean> {
    let isComplete = true;
    for (let after = ''; !this.#isStopping; ) {
      const names = await this.#records.listStaticChanges({
        after,
        limit: BATCH_SIZE,
        atMs: this.#clock.now(),
      });
      await forEachConcurrently(names, CRATES_AT_ONCE, async (name) => {
        if (!this.#isStopping && !(await this.flush(name))) isComplete = false;
      });
      const last = names.at(-1);
      if (last === undefined) break;
      after = last;
    }
    return isComplete && !this.#isStopping;
  }

  async #catchUp(config: StaticConfig): Promise<void> {
    try {
      if (!this.#hasConfig) await this.#writeConfig(config);
      this.#hasConfig = true;
      await this.flushAll();
    } catch (error) {
      this.#warn(null, error);
    }
  }

  async #writeConfig({ staticUrl, baseUrl }: StaticConfig): Promise<void> {
    const text = `${JSON.stringify({ dl: staticDownloads(staticUrl), api: baseUrl, 'auth-required': false })}\n`;
    const current = await this.#files.read(STATIC_CONFIG_PATH);
    if (current?.text === text) return;
    await this.#files.write(STATIC_CONFIG_PATH, text, {
      etag: current?.etag ?? null,
      cacheControl: 'public, no-cache',
      contentType: 'application/json',
    });
  }

  /**
   * Writes the files of a crate. Returns `busy` if another writer has it, or changed the file or took over meanwhile.
   */
  async #write(lowerCaseName: string): Promise<'written' | 'unchanged' | 'busy'> {
    const path = staticIndexPath(lowerCaseName);
    // Read before the records: so this file comes from an earlier state of them.
    const before = await this.#files.stat(path);
    const atMs = this.#clock.now();
    const { signal, isShort } = reservedTime();
    const holder = randomUUID();
    const reservation = await this.#records.beginStaticWrite({
      lowerCaseName,
      holder,
      atMs,
      untilMs: atMs + RESERVED_MS,
    });
    if (reservation.kind !== 'begun') return reservation.kind;
    const { generation } = reservation;
    let isWritten = false;
    try {
      const unneededPaths = await this.#copyArchives(reservation, isShort);
      if (unneededPaths !== null) {
        isWritten = await this.#files.write(path, staticIndexText(reservation.body, generation), {
          ...INDEX_HEADERS,
          etag: before?.etag ?? null,
          signal,
        });
        if (isWritten)
          await forEachConcurrently(unneededPaths, COPIES_AT_ONCE, (unneededPath) =>
            this.#files.delete(unneededPath),
          );
      }
    } finally {
      const end = { lowerCaseName, holder, generation: isWritten ? generation : 0 };
      if (!(await this.#records.endStaticWrite(end))) isWritten = false;
    }
    return isWritten ? 'written' : 'busy';
  }

  /** Copies missing archives. Returns the paths of unneeded ones; null if the time is nearly over. */
  async #copyArchives(
    { crate, archives }: StaticWrite,
    isShort: () => boolean,
  ): Promise<readonly string[] | null> {
    const unneededPaths = new Set<string>();
    for await (const { path } of this.#files.list(staticArchives(crate))) unneededPaths.add(path);
    const missing: (StaticWrite['archives'][number] & { readonly path: string })[] = [];
    for (const archive of archives) {
      const path = staticArchivePath(crate, archive.checksum);
      if (!unneededPaths.delete(path)) missing.push({ ...archive, path });
    }
    await forEachConcurrently(missing, COPIES_AT_ONCE, async ({ blobKey, path }) => {
      if (isShort() || (await this.#files.copyBlob(blobKey, path))) return;
      // The version was deleted meanwhile, and the crate is already noted as changed.
      this.#log.warning('static-archive-missing', { crate, key: blobKey });
    });
    return isShort() ? null : [...unneededPaths];
  }

  #warn(crate: string | null, error: unknown): void {
    this.#log.warning('static-not-written', { crate, reason: reasonOf(error) });
  }
}

/** The values of `config.json`. */
export interface StaticConfig {
  /** URL of the static files, without a slash at the end. */
  readonly staticUrl: string;
  /** URL of the web API. */
  readonly baseUrl: string;
}

/** The time that is left of a reservation. */
interface ReservedTime {
  /** Aborts writes before the reservation ends. */
  readonly signal: AbortSignal;
  /** Returns true once there is only time for the index file. */
  readonly isShort: () => boolean;
}

/** Starts the time of a reservation, with a monotonic clock. */
function reservedTime(): ReservedTime {
  const endsAt = performance.now() + RESERVED_MS;
  return {
    signal: AbortSignal.timeout(RESERVED_MS - SPARE_MS),
    isShort: () => performance.now() > endsAt - LAST_WRITE_MS,
  };
}

/** Runs `work` for all items, for `atOnce` of them at a time. After a failure, rejects while the others go on. */
async function forEachConcurrently<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // All workers share this iterator, so each item gets to one of them.
  const queue = items.values();
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    for (const item of queue) await work(item);
  });
  await Promise.all(workers);
}
