/** The upstream registry. Crates that are not stored here are downloaded from it, checked and cached. */
import { createHash } from 'node:crypto';
import type { Gauge } from '../shared/metrics.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { ServedRecords } from '../store/store.ts';
import type { DownloadableVersion, IndexState } from '../store/values.ts';
import type { MirroredArchive, MirroredIndexState } from '../store/upstream-records.ts';
import { ArchiveIntake } from './archive-intake.ts';
import { checkIndexFile, crateNameOf, findLine, type MirroredLine } from './check-index-file.ts';
import type { MirrorQuota } from './mirror-quota.ts';
import { RecentlyAbsent } from './recently-absent.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import { findSpellings } from './spellings.ts';
import { TOO_MANY, type UpstreamClient } from './upstream-client.ts';
import { Slots } from '../shared/slots.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import type { Blobs, FinishedBlob } from '../store/blobs.ts';

/** Options of an upstream. */
export interface UpstreamOptions {
  readonly client: UpstreamClient;
  /** Age after which a cached index file is checked again. */
  readonly refreshMs: number;
  /** Whether to use only the cache and send no requests. */
  readonly isOffline: boolean;
  /** null for no limit. */
  readonly quota: MirrorQuota | null;
}

/** An index file of the upstream. */
export interface ServedIndex extends IndexState {
  /** Returns the content; null if it has changed meanwhile. */
  load(): Promise<string | null>;
}

/** The state of an index file, and its body if it was just downloaded. */
interface FoundIndex {
  readonly state: MirroredIndexState;
  /** null if it must be read from the records. */
  readonly body: string | null;
}

/** The state of the upstream; `'ok'` unless the last requests failed. */
export type UpstreamState = 'ok' | 'away' | 'offline';

/** Services that an upstream needs. */
export interface UpstreamContext {
  readonly records: ServedRecords;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly log: Log;
}

/** A cached index file up to this age is not checked again if it lacks a version. */
const SURELY_FRESH_MS = 10_000;
/** How long to wait for a newer index file if there is a cached one. */
const MAX_REFRESH_WAIT_MS = 3_000;
/** Minimum time between two updates of the last use of an archive. */
const TOUCH_AFTER_MS = 60 * 60_000;
/** Archives to download at a time. Each uses a few MiB of memory at most. */
const ARCHIVE_SLOTS = 12;
const MAX_WAITING = 2_000;

/**
 * A registry that is proxied, but never for names that are used or reserved here. Any number of servers may share the
 * cache; each sends its own requests.
 */
export class Upstream {
  readonly #context: UpstreamContext;
  readonly #options: UpstreamOptions;
  readonly #absent: RecentlyAbsent;
  readonly #indexFlights = new SingleFlight<FoundIndex | null>();
  readonly #archiveFlights = new SingleFlight<MirroredArchive | null>();
  readonly #archiveSlots = new Slots(ARCHIVE_SLOTS, MAX_WAITING);
  #downloads = 0;
  #mirroredArchives = 0;
  #mirroredBytes = 0;
  #staleResponses = 0;
  #refusedFiles = 0;

  constructor(context: UpstreamContext, options: UpstreamOptions) {
    this.#context = context;
    this.#options = options;
    this.#absent = new RecentlyAbsent(context.clock);
  }

  /** URL of its index. */
  get index(): string {
    return this.#options.client.indexUrl;
  }

  get state(): UpstreamState {
    if (this.#options.isOffline) return 'offline';
    return this.#options.client.isReached ? 'ok' : 'away';
  }

  /**
   * Returns the index file of a crate by its exact name in lower case. Returns null if the upstream does not have it,
   * or if this registry has the crate or reserves the name. Throws `UpstreamProblem` if that cannot be determined.
   */
  async indexFile(lowerCaseName: string): Promise<ServedIndex | null> {
    if (await this.#context.records.isReservedName(lowerCaseName)) return null;
    const found = await this.#findIndex(lowerCaseName, this.#options.refreshMs);
    if (found === null || found.state.size === null) return null;
    const { etag, changedAtMs, size } = found.state;
    return { etag, changedAtMs, size, load: () => this.#bodyOf(found) };
  }

  /** Returns the name of a crate in the spelling of the upstream; null if `indexFile` finds none. Throws as it does. */
  async findName(name: string): Promise<string | null> {
    const file = await this.indexFile(name.toLowerCase());
    const body = (await file?.load()) ?? null;
    return body === null ? null : crateNameOf(body);
  }

  /** Returns the `.crate` of a version; null if there is none. Throws `UpstreamProblem` if it cannot be downloaded. */
  async archive(crate: string, version: string): Promise<DownloadableVersion | null> {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(crate) || (await this.#context.records.isReservedName(crate)))
      return null;
    const line = await this.#findLine(crate.toLowerCase(), version);
    if (line === null) return null;
    const cached = await this.#context.records.findMirroredArchive(line.checksum);
    const isThere = cached !== null && (await this.#context.blobs.stat(cached.blobKey)) !== null;
    const archive = isThere
      ? cached
      : await this.#archiveFlights.run(line.checksum, () =>
          this.#archiveSlots.run(
            () => this.#pull(line, cached),
            () => this.#options.client.problem(fileOf(line), TOO_MANY),
          ),
        );
    if (archive === null) return null;
    await this.#touch(archive);
    const { checksum, size, blobKey, mirroredAtMs } = archive;
    return { crate: line.name, version: line.version, checksum, size, blobKey, publishedAtMs: mirroredAtMs };
  }

  countDownload(): void {
    this.#downloads += 1;
  }

  /**
   * Returns the name of an upstream crate that conflicts with `name`: one in any spelling that is there, or was there
   * and is in the cache. Returns null if there is none. Always asks the upstream, and throws `UpstreamProblem` if that
   * fails.
   */
  async findSameName(name: string): Promise<string | null> {
    const spellings = findSpellings(name.toLowerCase());
    if (spellings === null) {
      throw new UpstreamProblem(
        `\`${name}\` has too many spellings to ask the upstream \`${this.index}\` for each of them`,
      );
    }
    if (this.#options.isOffline) {
      throw new UpstreamProblem(`the upstream \`${this.index}\` is not asked, as this server is offline`);
    }
    const files = await Promise.all(spellings.map((spelling) => this.#refresh(spelling)));
    const found = files.find((file) => file !== null);
    if (found === undefined || found === null) return null;
    const body = await this.#bodyOf(found);
    return body === null ? found.state.lowerCaseName : crateNameOf(body);
  }

  /** Returns the metrics of this process. */
  gauges(): readonly Gauge[] {
    const { requests, failures } = this.#options.client.counts;
    const counter = (name: string, help: string, value: number): Gauge => ({
      name: `tsreg_upstream_${name}`,
      help,
      kind: 'counter',
      value,
    });
    return [
      {
        name: 'tsreg_upstream_reached',
        help: 'Whether the upstream responded to the last request.',
        kind: 'gauge',
        value: this.state === 'ok' ? 1 : 0,
      },
      counter('requests_total', 'Requests to the upstream.', requests),
      counter('failures_total', 'Requests to the upstream that failed.', failures),
      counter(
        'refused_total',
        'Files of the upstream that were refused, because their content is wrong.',
        this.#refusedFiles,
      ),
      counter(
        'stale_answers_total',
        'Cached index files served because the upstream did not respond.',
        this.#staleResponses,
      ),
      counter('pulled_archives_total', 'Archives downloaded from the upstream.', this.#mirroredArchives),
      counter('pulled_bytes_total', 'Bytes of archives downloaded from the upstream.', this.#mirroredBytes),
      counter('downloads_total', 'Downloads of crates of the upstream.', this.#downloads),
      ...(this.#options.quota?.gauges() ?? []),
    ];
  }

  async close(): Promise<void> {
    await this.#options.client.close();
    await this.#options.quota?.close();
  }

  /** Returns the line of a version. If the cached file does not have it, checks that file again. */
  async #findLine(lowerCaseName: string, version: string): Promise<MirroredLine | null> {
    for (const maxAgeMs of [Number.POSITIVE_INFINITY, SURELY_FRESH_MS]) {
      const found = await this.#findIndex(lowerCaseName, maxAgeMs);
      const body = found === null ? null : await this.#bodyOf(found);
      const line = body === null ? null : findLine(body, version);
      if (line !== null) return line;
    }
    return null;
  }

  /** Returns the cached file up to this age, else the current one; if the upstream fails, the cached one of any age. */
  async #findIndex(lowerCaseName: string, maxAgeMs: number): Promise<FoundIndex | null> {
    const { records, clock } = this.#context;
    const state = await records.findMirroredState({ upstream: this.index, lowerCaseName });
    const cached = state === null || isEvicted(state) ? null : { state, body: null };
    if (cached !== null && clock.now() < cached.state.checkedAtMs + maxAgeMs) return cached;
    if (cached === null && this.#absent.has(lowerCaseName)) return null;
    try {
      if (this.#options.isOffline) throw this.#offlineProblem(`the index file of \`${lowerCaseName}\``);
      const newer = this.#refresh(lowerCaseName);
      return cached === null ? await newer : await withinMs(MAX_REFRESH_WAIT_MS, newer);
    } catch (error) {
      if (!(error instanceof UpstreamProblem) || cached === null) throw error;
      this.#staleResponses += 1;
      return cached;
    }
  }

  /** Returns null if the file is gone, or has changed since it was found. */
  async #bodyOf({ state, body }: FoundIndex): Promise<string | null> {
    if (body !== null || state.size === null) return body;
    const file = await this.#context.records.findMirroredIndex(state);
    return file?.etag === state.etag && file.body !== '' ? file.body : null;
  }

  #refresh(lowerCaseName: string): Promise<FoundIndex | null> {
    return this.#indexFlights.run(lowerCaseName, () => this.#ask(lowerCaseName));
  }

  async #ask(lowerCaseName: string): Promise<FoundIndex | null> {
    const { records, clock } = this.#context;
    const key = { upstream: this.index, lowerCaseName };
    const cached = await records.findMirroredState(key);
    const isCached = cached !== null && cached.size !== null && !isEvicted(cached);
    const response = await this.#options.client.indexFile(lowerCaseName, isCached ? cached : null);
    const checkedAtMs = clock.now();
    if (response.kind === 'unchanged' && cached !== null) {
      await this.#keep(() => records.touchMirroredIndex(key, checkedAtMs));
      return { state: { ...cached, checkedAtMs }, body: null };
    }
    if (response.kind !== 'file') return await this.#noteAbsent(lowerCaseName, cached);
    const checked = checkIndexFile(response.bytes, lowerCaseName);
    if ('problem' in checked) throw this.#refuse(`the index file of \`${lowerCaseName}\``, checked.problem);
    const { body } = checked;
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
    const isSame = cached !== null && cached.size !== null && cached.etag === etag;
    const file = {
      ...key,
      etag,
      upstreamEtag: response.upstreamEtag,
      upstreamModified: response.upstreamModified,
      changedAtMs: isSame ? cached.changedAtMs : checkedAtMs,
      checkedAtMs,
    };
    await this.#keep(() => records.saveMirroredIndex({ ...file, body }));
    this.#options.quota?.add(response.bytes.length);
    return { state: { ...file, size: response.bytes.length }, body };
  }

  /** Notes that the upstream does not have a file. One that existed before is remembered: its name is not free. */
  async #noteAbsent(lowerCaseName: string, cached: MirroredIndexState | null): Promise<FoundIndex | null> {
    const { records, clock, log } = this.#context;
    if (cached === null) {
      this.#absent.add(lowerCaseName);
      return null;
    }
    const checkedAtMs = clock.now();
    if (cached.size !== null) log.warning('upstream-crate-gone', { crate: lowerCaseName });
    const changedAtMs = cached.size === null ? cached.changedAtMs : checkedAtMs;
    const gone = { ...cached, upstreamEtag: null, upstreamModified: null, changedAtMs, checkedAtMs };
    await this.#keep(() => records.saveMirroredIndex({ ...gone, body: null }));
    return { state: { ...gone, size: null }, body: null };
  }

  /**
   * Downloads the archive of a line to the store. Nothing is visible or sent before its checksum is verified. If the
   * client disconnects, the download goes on for its next attempt. `lost` is a record whose blob is missing.
   */
  async #pull(line: MirroredLine, lost: MirroredArchive | null): Promise<MirroredArchive | null> {
    const { records, blobs, clock, log } = this.#context;
    const { name, version, checksum } = line;
    const what = fileOf(line);
    if (this.#options.isOffline) throw this.#offlineProblem(what);
    await this.#options.quota?.settled();
    const intake = new ArchiveIntake(blobs);
    let blob: FinishedBlob | null;
    try {
      const isThere = await this.#options.client.archive(line, () => intake.begin());
      if (!isThere) return null;
      blob = await intake.finish(checksum);
    } finally {
      await intake.discard();
    }
    if (blob === null) throw this.#refuse(what, 'its checksum does not match the index');
    if (lost !== null) await records.removeMirroredArchive(lost);
    const { key: blobKey, size } = blob;
    const nowMs = clock.now();
    const archive = { checksum, blobKey, size, mirroredAtMs: nowMs, usedAtMs: nowMs };
    const cached = await records.saveMirroredArchive(archive);
    // Another server was faster.
    if (cached.blobKey !== blobKey) await blobs.delete(blobKey);
    this.#mirroredArchives += 1;
    this.#mirroredBytes += size;
    this.#options.quota?.add(size);
    log.info('pulled', { crate: name, version, checksum, bytes: size });
    return cached;
  }

  async #touch({ checksum, usedAtMs }: MirroredArchive): Promise<void> {
    const { records, clock } = this.#context;
    const nowMs = clock.now();
    if (nowMs < usedAtMs + TOUCH_AFTER_MS) return;
    await this.#keep(() => records.touchMirroredArchive(checksum, nowMs));
  }

  /** Writes to the cache. Only logs a failure, since the response does not depend on the cache. */
  async #keep(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#context.log.warning('upstream-not-kept', { reason });
    }
  }

  #refuse(what: string, reason: string): UpstreamProblem {
    this.#refusedFiles += 1;
    this.#context.log.error('upstream-refused', { what, reason });
    return new UpstreamProblem(`${what} that the upstream \`${this.index}\` sent is not used: ${reason}`);
  }

  #offlineProblem(what: string): UpstreamProblem {
    return new UpstreamProblem(
      `${what} is not stored here, and the upstream \`${this.index}\` is not asked, as this server is offline`,
    );
  }
}

/** Returns true if the content of the index file was evicted, so that only its existence is known. */
function isEvicted({ size }: MirroredIndexState): boolean {
  return size === 0;
}

/** Returns how messages name an archive. */
function fileOf({ name, version }: MirroredLine): string {
  return `the file of crate \`${name}\` version \`${version}\``;
}

/** Waits for `work`. Throws `UpstreamProblem` after `ms`, without ending the work. */
function withinMs<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new UpstreamProblem(`no answer within ${ms} ms`)), ms);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
