/** The upstream registry. Crates that are not stored here are downloaded from it, checked and cached. */
import type { Metric } from '../shared/metrics.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import type { DownloadableVersion, IndexState } from '../store/values.ts';
import { crateNameOf, findLine, type MirroredLine } from './check-index-file.ts';
import { MirroredArchives } from './mirrored-archives.ts';
import { MirroredIndex } from './mirrored-index.ts';
import { findSpellings } from './spellings.ts';
import type { UpstreamContext, UpstreamOptions } from './upstream-context.ts';

/** An index file of the upstream. */
export interface ServedIndex extends IndexState {
  /** Returns the content; null if it has changed meanwhile. */
  load(): Promise<string | null>;
}

/** The state of the upstream; `'ok'` unless the last requests failed. */
export type UpstreamState = 'ok' | 'away' | 'offline';

/** A cached index file up to this age is not checked again if it lacks a version. */
const SURELY_FRESH_MS = 10_000;

/**
 * A registry that is proxied, but never for names that are used or reserved here. Any number of servers may share the
 * cache; each sends its own requests.
 */
export class Upstream {
  readonly #context: UpstreamContext;
  readonly #options: UpstreamOptions;
  readonly #files: MirroredIndex;
  readonly #archives: MirroredArchives;
  /** Downloads by clients, also from the cache. */
  #downloads = 0;

  constructor(context: UpstreamContext, options: UpstreamOptions) {
    this.#context = context;
    this.#options = options;
    this.#files = new MirroredIndex(context, options);
    this.#archives = new MirroredArchives(context, options);
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
   * Returns the index file of a crate by its exact name in lower case. Returns null if the upstream does not have it,
   * or if this registry has the crate or reserves the name. Throws `UpstreamProblem` if that cannot be determined.
   */
  async indexFile(lowerCaseName: string): Promise<ServedIndex | null> {
    if (await this.#context.records.isLocalName(lowerCaseName)) return null;
    const found = await this.#files.find(lowerCaseName, this.#options.refreshMs);
    if (found === null || found.state.size === null) return null;
    const { etag, changedAtMs, size } = found.state;
    return { etag, changedAtMs, size, load: () => this.#files.bodyOf(found) };
  }

  /** Returns the name of a crate in the spelling of the upstream; null if `indexFile` finds none. Throws as it does. */
  async findName(name: string): Promise<string | null> {
    const file = await this.indexFile(name.toLowerCase());
    const body = (await file?.load()) ?? null;
    return body === null ? null : crateNameOf(body);
  }

  /** Returns the `.crate` of a version; null if there is none. Throws `UpstreamProblem` if it cannot be downloaded. */
  async archive(crate: string, version: string): Promise<DownloadableVersion | null> {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(crate) || (await this.#context.records.isLocalName(crate))) return null;
    const line = await this.#findLine(crate.toLowerCase(), version);
    if (line === null) return null;
    const archive = await this.#archives.find(line);
    if (archive === null) return null;
    const { checksum, size, blobKey, mirroredAtMs } = archive;
    return { crate: line.name, version: line.version, checksum, size, blobKey, publishedAtMs: mirroredAtMs };
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

  /** Returns the metrics of this process. */
  metrics(): readonly Metric[] {
    const { client, quota } = this.#options;
    const { requests, failures } = client.counts;
    const files = this.#files.counts;
    const archives = this.#archives.counts;
    return [
      {
        name: 'tsreg_upstream_reached',
        help: 'Whether the upstream responded to the last request.',
        value: this.state === 'ok' ? 1 : 0,
      },
      { name: 'tsreg_upstream_requests_total', help: 'Requests to the upstream.', value: requests },
      {
        name: 'tsreg_upstream_failures_total',
        help: 'Requests to the upstream that failed.',
        value: failures,
      },
      {
        name: 'tsreg_upstream_refused_total',
        help: 'Files of the upstream that were refused, because their content is wrong.',
        value: files.refusedFiles + archives.refusedFiles,
      },
      {
        name: 'tsreg_upstream_stale_answers_total',
        help: 'Cached index files served because the upstream did not respond.',
        value: files.staleResponses,
      },
      {
        name: 'tsreg_upstream_pulled_archives_total',
        help: 'Archives downloaded from the upstream.',
        value: archives.archives,
      },
      {
        name: 'tsreg_upstream_pulled_bytes_total',
        help: 'Bytes of archives downloaded from the upstream.',
        value: archives.bytes,
      },
      {
        name: 'tsreg_upstream_downloads_total',
        help: 'Downloads of crates of the upstream.',
        value: this.#downloads,
      },
      ...(quota?.metrics() ?? []),
    ];
  }

  /** Aborts requests in progress, and waits for an eviction in progress. */
  async close(): Promise<void> {
    await this.#options.client.close();
    await this.#options.quota?.close();
  }

  /** Returns the line of a version. If the cached file does not have it, checks that file again. */
  async #findLine(lowerCaseName: string, version: string): Promise<MirroredLine | null> {
    for (const maxAgeMs of [Number.POSITIVE_INFINITY, SURELY_FRESH_MS]) {
      const found = await this.#files.find(lowerCaseName, maxAgeMs);
      const body = found === null ? null : await this.#files.bodyOf(found);
      const line = body === null ? null : findLine(body, version);
      if (line !== null) return line;
    }
    return null;
  }
}
