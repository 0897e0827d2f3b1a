/** Another registry behind this one: what is asked for and not here is taken from there, checked, and kept. */
import { createHash } from 'node:crypto';
import type { Gauge } from '../http/metrics.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Blobs, FinishedBlob, ServedRecords } from '../store.ts';
import type { IndexState, Version } from '../store-values.ts';
import type { PulledArchive, PulledIndexState } from '../upstream-store.ts';
import { ArchiveIntake } from './archive-intake.ts';
import { checkIndexFile, crateNameOf, findLine, type PulledLine } from './check-index-file.ts';
import type { MirrorQuota } from './mirror-quota.ts';
import { RecentlyAbsent } from './recently-absent.ts';
import { SingleFlight } from './single-flight.ts';
import { findSpellings } from './spellings.ts';
import { TOO_MANY, type UpstreamClient } from './upstream-client.ts';
import { Slots } from './slots.ts';
import { UpstreamProblem } from './upstream-problem.ts';

/** How an upstream is passed on. */
export interface UpstreamOptions {
  readonly client: UpstreamClient;
  /** A file of the index is asked about again after that. */
  readonly refreshMs: number;
  /** True to ask for nothing: what is kept is all there is. */
  readonly isOffline: boolean;
  /** null to keep everything. */
  readonly quota: MirrorQuota | null;
}

/** A `.crate` that is kept. */
export type PulledVersion = Pick<
  Version,
  'crate' | 'version' | 'checksum' | 'size' | 'blobKey' | 'publishedAtMs'
>;

/** An index file that is passed on. */
export interface ServedIndex extends IndexState {
  /** What it says; null where that has changed meanwhile. */
  load(): Promise<string | null>;
}

/** An index file that was found. */
interface FoundIndex {
  readonly state: PulledIndexState;
  /** null where it has to be read. */
  readonly body: string | null;
}

/** `'ok'`: what was asked last was answered. */
export type UpstreamState = 'ok' | 'away' | 'offline';

interface Context {
  readonly records: ServedRecords;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly log: Log;
}

/** For a version that a kept file of the index does not have: so young it is taken at its word. */
const SURELY_FRESH_MS = 10_000;
/** Whoever can be given what is kept does not wait longer than that for something newer. */
const PATIENCE_MS = 3_000;
/** The last use of an archive is noted at most this often. */
const TOUCH_AFTER_MS = 60 * 60_000;
/** Archives that are on their way from the upstream into the store at a time: each has a few MiB of memory at most. */
const ARCHIVE_SLOTS = 12;
const MAX_WAITING = 2_000;

/**
 * A registry whose crates are passed on. Names that are this registry's own are never asked for there. Any number of
 * servers may share what is kept; each asks by itself.
 */
export class Upstream {
  readonly #context: Context;
  readonly #options: UpstreamOptions;
  readonly #absent: RecentlyAbsent;
  readonly #indexFlights = new SingleFlight<FoundIndex | null>();
  readonly #archiveFlights = new SingleFlight<PulledArchive | null>();
  readonly #archiveSlots = new Slots(ARCHIVE_SLOTS, MAX_WAITING);
  #downloads = 0;
  #pulledArchives = 0;
  #pulledBytes = 0;
  #staleAnswers = 0;
  #refusedFiles = 0;

  constructor(context: Context, options: UpstreamOptions) {
    this.#context = context;
    this.#options = options;
    this.#absent = new RecentlyAbsent(context.clock);
  }

  /** Address of its index. */
  get index(): string {
    return this.#options.client.index;
  }

  get state(): UpstreamState {
    if (this.#options.isOffline) return 'offline';
    return this.#options.client.isReached ? 'ok' : 'away';
  }

  /**
   * The index file of a crate that is not here, by its exact name in lower case; null if there is none, or the name is
   * this registry's own. Throws `UpstreamProblem` where that cannot be known.
   */
  async indexFile(lowerCaseName: string): Promise<ServedIndex | null> {
    if (await this.#context.records.isOwnName(lowerCaseName)) return null;
    const found = await this.#findIndex(lowerCaseName, this.#options.refreshMs);
    if (found === null || found.state.size === null) return null;
    const { etag, changedAtMs, size } = found.state;
    return { etag, changedAtMs, size, load: () => this.#bodyOf(found) };
  }

  /** The name of a crate that is passed on, as the upstream spells it; null if it is not. Throws as `indexFile` does. */
  async findName(name: string): Promise<string | null> {
    const file = await this.indexFile(name.toLowerCase());
    const body = (await file?.load()) ?? null;
    return body === null ? null : crateNameOf(body);
  }

  /** The `.crate` of a version that is not here; null if there is none. Throws `UpstreamProblem` where it cannot be had. */
  async archive(crate: string, version: string): Promise<PulledVersion | null> {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(crate) || (await this.#context.records.isOwnName(crate))) return null;
    const line = await this.#findLine(crate.toLowerCase(), version);
    if (line === null) return null;
    const kept = await this.#context.records.findPulledArchive(line.checksum);
    const isThere = kept !== null && (await this.#context.blobs.stat(kept.blobKey)) !== null;
    const archive = isThere
      ? kept
      : await this.#archiveFlights.run(line.checksum, () =>
          this.#archiveSlots.run(
            () => this.#pull(line, kept),
            () => this.#options.client.problem(fileOf(line), TOO_MANY),
          ),
        );
    if (archive === null) return null;
    await this.#touch(archive);
    const { checksum, size, blobKey, pulledAtMs } = archive;
    return { crate: line.name, version: line.version, checksum, size, blobKey, publishedAtMs: pulledAtMs };
  }

  /** A `.crate` was sent. */
  countDownload(): void {
    this.#downloads += 1;
  }

  /**
   * The name of a crate of the upstream that excludes a crate of this name: in whatever spelling it is there, or was
   * and has been passed on. Null if there is none. Asks the upstream in any case; throws `UpstreamProblem` where it
   * cannot be asked.
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

  /** Figures of this process. */
  gauges(): readonly Gauge[] {
    const { requests, failures } = this.#options.client.counts;
    const counter = (name: string, help: string, value: number): Gauge => ({
      ...{ name: `tsreg_upstream_${name}`, help, kind: 'counter', value },
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
        this.#staleAnswers,
      ),
      counter('pulled_archives_total', 'Archives downloaded from the upstream.', this.#pulledArchives),
      counter('pulled_bytes_total', 'Bytes of archives downloaded from the upstream.', this.#pulledBytes),
      counter('downloads_total', 'Downloads of crates of the upstream.', this.#downloads),
      ...(this.#options.quota?.gauges() ?? []),
    ];
  }

  async close(): Promise<void> {
    await this.#options.client.close();
    await this.#options.quota?.close();
  }

  /** The line of a version; where a kept file does not have it, that file is asked about again. */
  async #findLine(lowerCaseName: string, version: string): Promise<PulledLine | null> {
    for (const maxAgeMs of [Number.POSITIVE_INFINITY, SURELY_FRESH_MS]) {
      const found = await this.#findIndex(lowerCaseName, maxAgeMs);
      const body = found === null ? null : await this.#bodyOf(found);
      const line = body === null ? null : findLine(body, version);
      if (line !== null) return line;
    }
    return null;
  }

  /** What is kept and not older, else what the upstream has; where it cannot be asked, what is kept. */
  async #findIndex(lowerCaseName: string, maxAgeMs: number): Promise<FoundIndex | null> {
    const { records, clock } = this.#context;
    const state = await records.findPulledState({ upstream: this.index, lowerCaseName });
    const kept = state === null || isEvicted(state) ? null : { state, body: null };
    if (kept !== null && clock.now() < kept.state.checkedAtMs + maxAgeMs) return kept;
    if (kept === null && this.#absent.has(lowerCaseName)) return null;
    try {
      if (this.#options.isOffline) throw this.#offlineProblem(`the index file of \`${lowerCaseName}\``);
      const newer = this.#refresh(lowerCaseName);
      return kept === null ? await newer : await withinMs(PATIENCE_MS, newer);
    } catch (error) {
      if (!(error instanceof UpstreamProblem) || kept === null) throw error;
      this.#staleAnswers += 1;
      return kept;
    }
  }

  /** null for a file that is gone, or has changed since it was found. */
  async #bodyOf({ state, body }: FoundIndex): Promise<string | null> {
    if (body !== null || state.size === null) return body;
    const file = await this.#context.records.findPulledIndex(state);
    return file?.etag === state.etag && file.body !== '' ? file.body : null;
  }

  #refresh(lowerCaseName: string): Promise<FoundIndex | null> {
    return this.#indexFlights.run(lowerCaseName, () => this.#ask(lowerCaseName));
  }

  async #ask(lowerCaseName: string): Promise<FoundIndex | null> {
    const { records, clock } = this.#context;
    const key = { upstream: this.index, lowerCaseName };
    const kept = await records.findPulledState(key);
    const isKept = kept !== null && kept.size !== null && !isEvicted(kept);
    const answer = await this.#options.client.indexFile(lowerCaseName, isKept ? kept : null);
    const checkedAtMs = clock.now();
    if (answer.kind === 'unchanged' && kept !== null) {
      await this.#keep(() => records.touchPulledIndex(key, checkedAtMs));
      return { state: { ...kept, checkedAtMs }, body: null };
    }
    if (answer.kind !== 'file') return await this.#noteAbsent(lowerCaseName, kept);
    const checked = checkIndexFile(answer.bytes, lowerCaseName);
    if ('problem' in checked) throw this.#refuse(`the index file of \`${lowerCaseName}\``, checked.problem);
    const { body } = checked;
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
    const isSame = kept !== null && kept.size !== null && kept.etag === etag;
    const file = {
      ...{ ...key, etag, upstreamEtag: answer.upstreamEtag, upstreamModified: answer.upstreamModified },
      ...{ changedAtMs: isSame ? kept.changedAtMs : checkedAtMs, checkedAtMs },
    };
    await this.#keep(() => records.savePulledIndex({ ...file, body }));
    this.#options.quota?.add(answer.bytes.length);
    return { state: { ...file, size: answer.bytes.length }, body };
  }

  /** What was there once is remembered: its name is not free. */
  async #noteAbsent(lowerCaseName: string, kept: PulledIndexState | null): Promise<FoundIndex | null> {
    const { records, clock, log } = this.#context;
    if (kept === null) {
      this.#absent.add(lowerCaseName);
      return null;
    }
    const checkedAtMs = clock.now();
    if (kept.size !== null) log.warning('upstream-crate-gone', { crate: lowerCaseName });
    const changedAtMs = kept.size === null ? kept.changedAtMs : checkedAtMs;
    const gone = { ...kept, upstreamEtag: null, upstreamModified: null, changedAtMs, checkedAtMs };
    await this.#keep(() => records.savePulledIndex({ ...gone, body: null }));
    return { state: { ...gone, size: null }, body: null };
  }

  /**
   * Takes the archive of a line from the upstream into the store, as it comes. Nothing of it is kept or sent before its
   * checksum is known; who asked may have gone meanwhile, and finds it the next time.
   */
  async #pull(line: PulledLine, lost: PulledArchive | null): Promise<PulledArchive | null> {
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
    if (lost !== null) await records.forgetPulledArchive(lost);
    const { key: blobKey, size } = blob;
    const nowMs = clock.now();
    const archive = { checksum, blobKey, size, pulledAtMs: nowMs, usedAtMs: nowMs };
    const kept = await records.savePulledArchive(archive);
    // Another server was faster.
    if (kept.blobKey !== blobKey) await blobs.delete(blobKey);
    this.#pulledArchives += 1;
    this.#pulledBytes += size;
    this.#options.quota?.add(size);
    log.info('pulled', { crate: name, version, checksum, bytes: size });
    return kept;
  }

  async #touch({ checksum, usedAtMs }: PulledArchive): Promise<void> {
    const { records, clock } = this.#context;
    const nowMs = clock.now();
    if (nowMs < usedAtMs + TOUCH_AFTER_MS) return;
    await this.#keep(() => records.touchPulledArchive(checksum, nowMs));
  }

  /** That something cannot be kept is no reason not to answer with it. */
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

/** True for an index file of which nothing is kept but that it was there. */
function isEvicted({ size }: PulledIndexState): boolean {
  return size === 0;
}

/** An archive, for messages. */
function fileOf({ name, version }: PulledLine): string {
  return `the file of crate \`${name}\` version \`${version}\``;
}

/** Settles as `work` does, or rejects with an `UpstreamProblem` when that takes too long; it goes on all the same. */
function withinMs<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new UpstreamProblem(`no answer within ${ms} ms`)), ms);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
