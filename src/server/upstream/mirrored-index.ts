/** The cached index files of an upstream. */
import { createHash } from 'node:crypto';
import { SingleFlight } from '../shared/single-flight.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import { withinTime } from '../shared/within-time.ts';
import type { CacheCounts } from '../store/mirror-status.ts';
import type { MirroredIndexState } from '../store/upstream-records.ts';
import { checkIndexFile } from './check-index-file.ts';
import { RecentlyAbsent } from './recently-absent.ts';
import {
  refuseFile,
  requireOnline,
  type UpstreamContext,
  type UpstreamOptions,
  writeToCache,
} from './upstream-context.ts';

/** The state of an index file, and its body if it was just downloaded. */
export interface FoundIndex {
  readonly state: MirroredIndexState;
  /** null if it must be read from the records. */
  readonly body: string | null;
}

/** How long to wait for a newer index file if there is a cached one. */
const MAX_REFRESH_WAIT_MS = 3_000;

/** Finds index files in the cache, and downloads, checks and caches the others. Names are in lower case. */
export class MirroredIndex {
  readonly #context: UpstreamContext;
  readonly #options: UpstreamOptions;
  readonly #absent: RecentlyAbsent;
  readonly #refreshes = new SingleFlight<FoundIndex | null>();
  #staleResponses = 0;
  #refusedFiles = 0;
  #hits = 0;
  #misses = 0;

  constructor(context: UpstreamContext, options: UpstreamOptions) {
    this.#context = context;
    this.#options = options;
    this.#absent = new RecentlyAbsent(context.clock);
  }

  /**
   * Counts of cached files that were served because the upstream failed, of files with wrong content, and of lookups
   * without and with a request to the upstream.
   */
  get counts(): CacheCounts & { readonly staleResponses: number; readonly refusedFiles: number } {
    return {
      staleResponses: this.#staleResponses,
      refusedFiles: this.#refusedFiles,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  /**
   * Returns the cached file up to this age, else the current one; if the upstream fails, the cached one of any age.
   * Returns null if the upstream does not have it and never had it.
   */
  async find(lowerCaseName: string, maxAgeMs: number): Promise<FoundIndex | null> {
    const { records, clock } = this.#context;
    const upstream = this.#options.client.indexUrl;
    const state = await records.findMirroredState({ upstream, lowerCaseName });
    const cached = state === null || isEvicted(state) ? null : { state, body: null };
    const isFresh = cached !== null && clock.now() < cached.state.checkedAtMs + maxAgeMs;
    if (isFresh || (cached === null && this.#absent.has(lowerCaseName))) {
      this.#hits += 1;
      return cached;
    }
    this.#misses += 1;
    try {
      requireOnline(this.#options, fileOf(lowerCaseName));
      const newer = this.refresh(lowerCaseName);
      if (cached === null) return await newer;
      return await withinTime(newer, { timeoutMs: MAX_REFRESH_WAIT_MS, tooLate });
    } catch (error) {
      if (!(error instanceof UpstreamProblem) || cached === null) throw error;
      this.#staleResponses += 1;
      return cached;
    }
  }

  /** Asks the upstream for the file, once for all concurrent callers, and returns it as `find` does. */
  refresh(lowerCaseName: string): Promise<FoundIndex | null> {
    return this.#refreshes.run(lowerCaseName, () => this.#request(lowerCaseName));
  }

  /** Returns null if the file is gone, or has changed since it was found. */
  async bodyOf({ state, body }: FoundIndex): Promise<string | null> {
    if (body !== null || state.size === null) return body;
    const file = await this.#context.records.findMirroredIndex(state);
    return file?.etag === state.etag && file.body !== '' ? file.body : null;
  }

  async #request(lowerCaseName: string): Promise<FoundIndex | null> {
    const { records, clock } = this.#context;
    const { client, quota } = this.#options;
    const key = { upstream: client.indexUrl, lowerCaseName };
    const cached = await records.findMirroredState(key);
    const isCached = cached !== null && cached.size !== null && !isEvicted(cached);
    const response = await client.indexFile(lowerCaseName, isCached ? cached : null);
    const checkedAtMs = clock.now();
    if (response.kind === 'unchanged' && cached !== null) {
      await writeToCache(this.#context, () => records.touchMirroredIndex(key, checkedAtMs));
      return { state: { ...cached, checkedAtMs }, body: null };
    }
    if (response.kind !== 'file') return await this.#noteAbsent(lowerCaseName, cached);
    const checked = checkIndexFile(response.bytes, lowerCaseName);
    if ('problem' in checked) {
      this.#refusedFiles += 1;
      const file = { what: fileOf(lowerCaseName), reason: checked.problem };
      throw refuseFile(this.#context, this.#options, file);
    }
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
    await writeToCache(this.#context, () => records.saveMirroredIndex({ ...file, body }));
    quota?.add(response.bytes.length);
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
    await writeToCache(this.#context, () => records.saveMirroredIndex({ ...gone, body: null }));
    return { state: { ...gone, size: null }, body: null };
  }
}

/** Returns true if the content of the index file was evicted, so that only its existence is known. */
function isEvicted({ size }: MirroredIndexState): boolean {
  return size === 0;
}

/** Returns how messages name an index file. */
function fileOf(lowerCaseName: string): string {
  return `the index file of \`${lowerCaseName}\``;
}

function tooLate(): UpstreamProblem {
  return new UpstreamProblem(`no answer within ${MAX_REFRESH_WAIT_MS} ms`);
}
