import type { Log } from '../shared/log.ts';
import { reasonOf } from '../shared/reason-of.ts';
import type { MirrorUse, UpstreamRecords } from '../store/upstream-records.ts';
import type { Metric } from '../shared/metrics.ts';
import type { Blobs } from '../store/blobs.ts';

/** Interval between counts, which include what other servers have added. */
const COUNT_EVERY_MS = 60_000;
/** This server also counts the bytes after it has added this part of the quota. */
const COUNT_AFTER_PART = 1 / 64;
/** Part of the quota that an eviction leaves, so that the next archive does not cause another one at once. */
const PART_AFTER_EVICTION = 0.95;
/** Files to read from the records at a time. */
const EVICTED_AT_ONCE = 100;

interface QuotaContext {
  readonly records: UpstreamRecords;
  readonly blobs: Blobs;
  readonly log: Log;
}

/**
 * A quota for the cached archives and index files of upstreams, for all servers together. The least recently used files
 * are evicted, and downloaded again on request. Crates published here do not count.
 */
export class MirrorQuota {
  readonly #context: QuotaContext;
  readonly #maxBytes: number;
  readonly #timer: NodeJS.Timeout;
  /** The eviction in progress. */
  #eviction: Promise<void> | null = null;
  /** The result of the last count, less what this server has evicted since. */
  #countedBytes = 0;
  /** The bytes that this server has added since the last count. */
  #addedBytes = 0;
  #evictedFiles = 0;
  #evictedBytes = 0;

  /** Starts to enforce the quota, until `close`. */
  constructor(context: QuotaContext, maxBytes: number) {
    this.#context = context;
    this.#maxBytes = maxBytes;
    this.#timer = setInterval(() => this.#startEviction(), COUNT_EVERY_MS).unref();
    this.#startEviction();
  }

  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** Adds bytes downloaded from the upstream. */
  add(bytes: number): void {
    this.#addedBytes += bytes;
    const isMuch = this.#addedBytes > this.#maxBytes * COUNT_AFTER_PART;
    if (isMuch || this.#countedBytes + this.#addedBytes > this.#maxBytes) this.#startEviction();
  }

  /**
   * Waits for an eviction in progress. Must be called before each download of an archive: otherwise, downloads that are
   * faster than the eviction could fill the disk beyond the quota. Index files are small in comparison.
   */
  async waitForEviction(): Promise<void> {
    await this.#eviction;
  }

  /** Returns the metrics of this process. The cached bytes are those of all servers. */
  metrics(): readonly Metric[] {
    return [
      {
        name: 'tsreg_upstream_kept_bytes',
        help: 'Bytes of archives and index files of upstreams.',
        value: this.#countedBytes + this.#addedBytes,
      },
      {
        name: 'tsreg_upstream_quota_bytes',
        help: 'Most bytes that archives and index files of upstreams may have.',
        value: this.#maxBytes,
      },
      {
        name: 'tsreg_upstream_evicted_total',
        help: 'Archives and index files that were evicted.',
        value: this.#evictedFiles,
      },
      {
        name: 'tsreg_upstream_evicted_bytes_total',
        help: 'Bytes of evicted archives and index files.',
        value: this.#evictedBytes,
      },
    ];
  }

  /** Stops counting, and waits for an eviction in progress. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#eviction;
  }

  /** Starts `#evict` unless it is running. */
  #startEviction(): void {
    this.#eviction ??= this.#evict()
      .catch((error: unknown) => {
        this.#context.log.warning('upstream-not-evicted', { reason: reasonOf(error) });
      })
      .finally(() => {
        this.#eviction = null;
      });
  }

  /** Counts the bytes, and evicts files if they exceed the quota. */
  async #evict(): Promise<void> {
    const { records, log } = this.#context;
    this.#addedBytes = 0;
    this.#countedBytes = await records.sumMirrored();
    if (this.#countedBytes <= this.#maxBytes) return;
    const filesBefore = this.#evictedFiles;
    const bytesBefore = this.#evictedBytes;
    // Each round reads the next files, because the evicted ones are gone. Stops after a round that evicted none: there are
    // no more files, or all of them were used meanwhile.
    let hasEvicted = true;
    while (hasEvicted && this.#countedBytes > this.#maxBytes * PART_AFTER_EVICTION) {
      hasEvicted = false;
      for (const use of await records.listLeastUsedMirrored(EVICTED_AT_ONCE)) {
        if (this.#countedBytes <= this.#maxBytes * PART_AFTER_EVICTION) break;
        if (await this.#evictFile(use)) hasEvicted = true;
      }
    }
    log.info('upstream-evicted', {
      files: this.#evictedFiles - filesBefore,
      bytes: this.#evictedBytes - bytesBefore,
      left: this.#countedBytes,
    });
  }

  /** Evicts a file. Returns false if it was used meanwhile. */
  async #evictFile(use: MirrorUse): Promise<boolean> {
    const { records, blobs } = this.#context;
    if (!(await records.evictMirrored(use))) return false;
    const { size } = use.kind === 'archive' ? use.archive : use;
    this.#countedBytes -= size;
    this.#evictedFiles += 1;
    this.#evictedBytes += size;
    // Delete the blob after its record: after a crash, it is a blob without a record, which `verify` finds.
    if (use.kind === 'archive') await blobs.delete(use.archive.blobKey);
    return true;
  }
}
