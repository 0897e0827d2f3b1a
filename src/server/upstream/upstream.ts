/** The upstream registry. Crates that are not stored here are downloaded from it, checked and cached. */
import type { Metric } from '../shared/metrics.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import { GateRefusal } from '../shared/gate-refusal.ts';
import type { GateReason, MirrorStatus, UpstreamState } from '../store/mirror-status.ts';
import type { DownloadableVersion } from '../store/values.ts';
import { crateNameOf, findLine, type MirroredLine } from './check-index-file.ts';
import type { CrateSelector } from './crate-selector.ts';
import { describeCrateRefusal, describeRefusal, type RefusedVersion } from './describe-refusal.ts';
import { GatedIndex, type ServedIndex } from './gated-index.ts';
import { MirrorCache } from './mirror-cache.ts';
import { MirroredArchives } from './mirrored-archives.ts';
import { MirroredIndex } from './mirrored-index.ts';
import { findSpellings } from './spellings.ts';
import type { UpstreamContext, UpstreamOptions } from './upstream-context.ts';
import type { CrateGates, GatedVersion } from './upstream-gates.ts';
import { upstreamMetrics } from './upstream-metrics.ts';

/** A cached index file up to this age is not checked again if it lacks a version. */
const SURELY_FRESH_MS = 10_000;
/** Maximum lookups for a file that changes each time before it is read. */
const MAX_LOOKUPS = 5;

/**
 * A registry that is proxied, but never for names that are used or reserved here. Any number of servers may share the
 * cache; each sends its own requests.
 */
export class Upstream {
  readonly #context: UpstreamContext;
  readonly #options: UpstreamOptions;
  readonly #files: MirroredIndex;
  readonly #archives: MirroredArchives;
  readonly #gatedIndex: GatedIndex;
  readonly #startedAtMs: number;
  /** The cache, for pages. */
  readonly cache: MirrorCache;
  /** Downloads by clients, also from the cache. */
  #downloads = 0;
  readonly #gatedDownloads = { blocked: 0, 'too-young': 0, advisory: 0, license: 0 };

  constructor(context: UpstreamContext, options: UpstreamOptions) {
    this.#context = context;
    this.#options = options;
    this.#files = new MirroredIndex(context, options);
    this.#archives = new MirroredArchives(context, options);
    this.#gatedIndex = new GatedIndex({ files: this.#files, clock: context.clock });
    this.#startedAtMs = context.clock.now();
    this.cache = new MirrorCache(context, options);
  }

  /** URL of its index. */
  get index(): string {
    return this.#options.client.indexUrl;
  }

  /** The state after the last requests, for `/readyz`. */
  get state(): UpstreamState {
    if (this.#options.isOffline) return 'offline';
    return this.#options.client.isReached ? 'ok' : 'away';
  }

  /**
   * Returns the index file of a crate by its exact name in lower case. The versions that the gates refuse are yanked.
   * Returns null if the upstream does not have it, or if this registry has the crate or reserves the name. Throws
   * `GateRefusal` if the gates refuse all versions, and `UpstreamProblem` if that cannot be determined.
   */
  async indexFile(lowerCaseName: string): Promise<ServedIndex | null> {
    const gates = await this.#gatesOf(lowerCaseName);
    if (gates === null) return null;
    for (let lookups = 0; lookups < MAX_LOOKUPS; lookups += 1) {
      const file = await this.#files.find(lowerCaseName, this.#options.refreshMs);
      if (file === null) return null;
      const served = await this.#gatedIndex.serve(file, gates);
      if (served !== 'changed') return served;
    }
    throw new UpstreamProblem(`the index file of \`${lowerCaseName}\` changes too often; try again later`);
  }

  /**
   * Returns the name of a crate in the spelling of the upstream; null if the upstream does not have it, or if this
   * registry has the crate or reserves the name. Throws `GateRefusal` if the gates block the crate, and
   * `UpstreamProblem` if that cannot be determined.
   */
  async findName(name: string): Promise<string | null> {
    const lowerCaseName = name.toLowerCase();
    if ((await this.#gatesOf(lowerCaseName)) === null) return null;
    const file = await this.#files.find(lowerCaseName, this.#options.refreshMs);
    const body = file === null ? null : await this.#files.bodyOf(file);
    return body === null ? null : crateNameOf(body);
  }

  /**
   * Returns the `.crate` of a version; null if there is none. Throws `UpstreamProblem` if it cannot be downloaded, and
   * `GateRefusal` if the gates refuse it.
   */
  async archive(crate: string, version: string): Promise<DownloadableVersion | null> {
    // `crate` is the name as the client spells it; records and gates accept any spelling.
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(crate) || (await this.#context.records.isLocalName(crate))) return null;
    const gates = await this.#options.gates.of(crate);
    const nowMs = this.#context.clock.now();
    // Only the name and the version are known: if they decide, the upstream is not asked.
    const requested = { name: crate, version, publishedAtMs: null, receivedAtMs: 0 };
    this.#passOrThrow(requested, gates.reasonToRefuse(requested, nowMs));
    // The index line adds the real name, the checksum and the times of the version.
    const line = await this.#findLine(crate.toLowerCase(), version);
    if (line === null) return null;
    this.#passOrThrow(line, gates.knownReason(line, nowMs));
    // The archive is in the cache now. The last rules, such as that on licenses, read it.
    const archive = await this.#archives.find(line);
    if (archive === null) return null;
    const { checksum, size, blobKey, mirroredAtMs } = archive;
    const downloadable = {
      crate: line.name,
      version: line.version,
      checksum,
      size,
      blobKey,
      publishedAtMs: mirroredAtMs,
      isEvictable: true,
    };
    this.#passOrThrow(line, await gates.reasonToRefuseArchive(downloadable, null));
    return downloadable;
  }

  /** Counts a download by a client, for the metrics. */
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
    const files = await Promise.all(spellings.map((spelling) => this.#files.refresh(spelling)));
    const existing = files.find((file) => file !== null) ?? null;
    if (existing === null) return null;
    const body = await this.#files.bodyOf(existing);
    return body === null ? existing.state.lowerCaseName : crateNameOf(body);
  }

  /** Returns true if a rule allows a crate, or a version of it, whatever the other rules say. */
  async allows({ name, version }: CrateSelector): Promise<boolean> {
    return (await this.#options.gates.of(name)).allows(version);
  }

  /** Returns true if a rule blocks a crate, or a version of it, and none allows it. */
  async blocks({ name, version }: CrateSelector): Promise<boolean> {
    return (await this.#options.gates.of(name)).blocks(version);
  }

  /** Returns the state for admins. */
  status(): MirrorStatus {
    const { client, quota, gates, refreshMs } = this.#options;
    const { requests, failures } = client.counts;
    const { responseAtMs, failure } = client.last;
    const files = this.#files.counts;
    const archives = this.#archives.counts;
    return {
      index: this.index,
      state: this.state,
      refreshMs,
      startedAtMs: this.#startedAtMs,
      quotaBytes: quota?.maxBytes ?? null,
      indexFiles: { hits: files.hits, misses: files.misses },
      archives: { hits: archives.hits, misses: archives.misses },
      requests,
      failures,
      refusedFiles: files.refusedFiles + archives.refusedFiles,
      gatedDownloads: { ...this.#gatedDownloads },
      gates: gates.settings,
      lastResponseAtMs: responseAtMs,
      lastFailure: failure,
    };
  }

  /** Returns the metrics of this process. */
  metrics(): readonly Metric[] {
    const { staleResponses } = this.#files.counts;
    const { archives: pulledArchives, bytes: pulledBytes } = this.#archives.counts;
    const counts = { staleResponses, pulledArchives, pulledBytes, downloads: this.#downloads };
    return [...upstreamMetrics(this.status(), counts), ...(this.#options.quota?.metrics() ?? [])];
  }

  /** Aborts requests in progress, and waits for an eviction in progress. */
  async close(): Promise<void> {
    this.#options.gates.close();
    await this.#options.client.close();
    await this.#options.quota?.close();
  }

  /**
   * Returns the gates of a crate; null if this registry has the crate or reserves the name. Throws `GateRefusal` if the
   * upstream need not be asked, because they refuse all its versions.
   */
  async #gatesOf(lowerCaseName: string): Promise<CrateGates | null> {
    if (await this.#context.records.isLocalName(lowerCaseName)) return null;
    const gates = await this.#options.gates.of(lowerCaseName);
    if (gates.refusesAll) throw new GateRefusal(describeCrateRefusal(lowerCaseName, null));
    return gates;
  }

  /** Counts and throws `GateRefusal` if there is a reason to refuse the download of a version. */
  #passOrThrow(version: RefusedVersion, reason: GateReason | null): void {
    if (reason === null) return;
    this.#gatedDownloads[reason.kind] += 1;
    throw new GateRefusal(describeRefusal(version, reason));
  }

  /** Returns the line of a version. If the cached file does not have it, checks that file again. */
  async #findLine(lowerCaseName: string, version: string): Promise<FoundLine | null> {
    for (const maxAgeMs of [Number.POSITIVE_INFINITY, SURELY_FRESH_MS]) {
      const file = await this.#files.find(lowerCaseName, maxAgeMs);
      const body = file === null ? null : await this.#files.bodyOf(file);
      const line = body === null ? null : findLine(body, version);
      if (file !== null && line !== null) return { ...line, receivedAtMs: file.state.changedAtMs };
    }
    return null;
  }
}

/** The index line of a version, and when its file was received. */
type FoundLine = MirroredLine & GatedVersion;
