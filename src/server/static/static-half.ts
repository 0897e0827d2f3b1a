/** The half of a registry that needs no server: its index and archives as files, kept in step with the records. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Records } from '../store.ts';
import type { StaticFiles, StaticWrite } from '../static-store.ts';
import {
  STATIC_CONFIG_PATH,
  staticArchivePath,
  staticArchives,
  staticDownloads,
  staticIndexPath,
  staticIndexText,
} from './static-layout.ts';

/** What the static half is made of and written with. */
export interface StaticHalfOptions {
  readonly records: Records;
  readonly files: StaticFiles;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * How long a crate is reserved for whoever writes it: as long must others wait if that one dies. And how much of it
 * must be left for the index file; more archives than can be copied before are copied the next time.
 */
const RESERVED_MS = 10_000;
const LAST_WRITE_MS = 6_000;
/** Ends the last write while the reservation still holds. */
const SPARE_MS = 1_000;
/** What a client that waits for the index is made to wait for longest. */
const MAX_SETTLE_MS = 20_000;
const BUSY_WAIT_MS = 40;
const PART = 200;
const CRATES_AT_ONCE = 8;
const COPIES_AT_ONCE = 8;

const INDEX_HEADERS = { cacheControl: 'public, no-cache', contentType: 'text/plain; charset=utf-8' };

/**
 * Writes what the records say to files, for any number of processes at once. The records note which crates are behind,
 * in the transaction that changes them, so whoever runs next finishes what another has left; a crate is written by one
 * at a time, and a file replaces only the one that was there before the records were read. So files never go back in
 * time, and in the end they are what the records say. Archives are there before the index tells of them.
 */
export class StaticHalf {
  readonly #records: Records;
  readonly #files: StaticFiles;
  readonly #clock: Clock;
  readonly #log: Log;
  #timer: NodeJS.Timeout | null = null;
  #round: Promise<void> | null = null;
  #isStopping = false;
  #hasConfig = false;

  constructor({ records, files, clock, log }: StaticHalfOptions) {
    this.#records = records;
    this.#files = files;
    this.#clock = clock;
    this.#log = log;
  }

  /** Writes `config.json` and what is behind, now and from time to time, until `stop`. */
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

  /** Ends after what is being written. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#round;
  }

  /**
   * Writes a crate. True once its files are as the records were at the call, or newer; false where that takes too
   * long or the store is away: then they will be.
   */
  async settle(crate: string): Promise<boolean> {
    const deadline = performance.now() + MAX_SETTLE_MS;
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

  /** Writes all that is behind, but for what others are at work on; false if something could not be written. */
  async settleAll(): Promise<boolean> {
    let isComplete = true;
    for (let after = ''; !this.#isStopping; ) {
      const names = await this.#records.listStaticChanges({ after, limit: PART, atMs: this.#clock.now() });
      await eachOf(names, CRATES_AT_ONCE, async (name) => {
        if (!this.#isStopping && !(await this.settle(name))) isComplete = false;
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
      await this.settleAll();
    } catch (error) {
      this.#warn(null, error);
    }
  }

  async #writeConfig({ staticUrl, baseUrl }: StaticConfig): Promise<void> {
    const text = `${JSON.stringify({ dl: staticDownloads(staticUrl), api: baseUrl, 'auth-required': false })}\n`;
    const now = await this.#files.read(STATIC_CONFIG_PATH);
    if (now?.text === text) return;
    await this.#files.write(STATIC_CONFIG_PATH, text, {
      ...{ etag: now?.etag ?? null, cacheControl: 'public, no-cache', contentType: 'application/json' },
    });
  }

  async #write(lowerCaseName: string): Promise<'written' | 'unchanged' | 'busy'> {
    const path = staticIndexPath(lowerCaseName);
    // Before the records are read: what is there was written from an earlier state of them.
    const before = await this.#files.stat(path);
    const atMs = this.#clock.now();
    const { signal, ...time } = reservedTime();
    const claim = { lowerCaseName, holder: randomUUID(), atMs, untilMs: atMs + RESERVED_MS };
    const begun = await this.#records.beginStaticWrite(claim);
    if (begun.kind !== 'begun') return begun.kind;
    const { generation } = begun;
    let isWritten = false;
    try {
      const unneeded = await this.#copyArchives(begun, time);
      if (unneeded !== null) {
        isWritten = await this.#files.write(path, staticIndexText(begun.body, generation), {
          ...{ ...INDEX_HEADERS, etag: before?.etag ?? null, signal },
        });
        if (isWritten) await eachOf(unneeded, COPIES_AT_ONCE, (each) => this.#files.delete(each));
      }
    } finally {
      const end = { lowerCaseName, holder: claim.holder, generation: isWritten ? generation : 0 };
      if (!(await this.#records.endStaticWrite(end))) isWritten = false;
    }
    return isWritten ? 'written' : 'busy';
  }

  /** Makes the archives that are missing; returns those that are not needed, or null where time is running out. */
  async #copyArchives(
    { crate, archives }: StaticWrite,
    { isShort }: Pick<ReservedTime, 'isShort'>,
  ): Promise<readonly string[] | null> {
    const unneeded = new Set<string>();
    for await (const { path } of this.#files.list(staticArchives(crate))) unneeded.add(path);
    const missing: (StaticWrite['archives'][number] & { readonly path: string })[] = [];
    for (const archive of archives) {
      const path = staticArchivePath(crate, archive.checksum);
      if (!unneeded.delete(path)) missing.push({ ...archive, path });
    }
    await eachOf(missing, COPIES_AT_ONCE, async ({ blobKey, path }) => {
      if (isShort() || (await this.#files.copyBlob(blobKey, path))) return;
      // A version that is deleted meanwhile; then the crate counts as changed already.
      this.#log.warning('static-archive-missing', { crate, key: blobKey });
    });
    return isShort() ? null : [...unneeded];
  }

  #warn(crate: string | null, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.warning('static-not-written', { crate, reason });
  }
}

/** What `config.json` is made of. */
export interface StaticConfig {
  /** Where the files are served, without a slash at the end. */
  readonly staticUrl: string;
  /** Where the web API is. */
  readonly baseUrl: string;
}

interface ReservedTime {
  /** Ends what is under way before the reservation does. */
  readonly signal: AbortSignal;
  readonly isShort: () => boolean;
}

/** By a clock that nobody sets. */
function reservedTime(): ReservedTime {
  const endsAt = performance.now() + RESERVED_MS;
  return {
    signal: AbortSignal.timeout(RESERVED_MS - SPARE_MS),
    isShort: () => performance.now() > endsAt - LAST_WRITE_MS,
  };
}

async function eachOf<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    for (const item of rest) await work(item);
  });
  await Promise.all(workers);
}
