import type { Log } from '../shared/log.ts';
import { reasonOf } from '../shared/reason-of.ts';
import type { MirrorUse, UpstreamRecords } from '../store/upstream-records.ts';
import type { Gauge } from '../shared/metrics.ts';
import type { Blobs } from '../store/blobs.ts';

/** Interval between counts, which include what other servers have added. */
const COUNT_EVERY_MS = 60_000;
/** The bytes are also counted when this server has added the quota divided by this. */
const COUNTED_PARTS = 64;
/** Part of the quota that an eviction leaves, so that the next archive does not cause another one at once. */
const KEPT_PART = 0.95;
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
  #sweep: Promise<void> | null = null;
  /** The last count, and what this server has added since. */
  #bytes = 0;
  #added = 0;
  #evictedFiles = 0;
  #evictedBytes = 0;

  /** Starts to enforce the quota, until `close`. */
  constructor(context: QuotaContext, maxBytes: number) {
    this.#context = context;
    this.#maxBytes = maxBytes;
    this.#timer = setInterval(() => this.#begin(), COUNT_EVERY_MS).unref();
    this.#begin();
  }

  /** Adds bytes downloaded from the upstream. */
  add(bytes: number): void {
    this.#added += bytes;
    const isMuch = this.#added > this.#maxBytes / COUNTED_PARTS;
    if (isMuch || this.#bytes + this.#added > this.#maxBytes) this.#begin();
  }

  /** Waits for an eviction in progress. Must be called before each download. */
  async settled(): Promise<void> {
    await this.#sweep;
  }

  /** Returns the metrics of this process. The cached bytes are those of all servers. */
  gauges(): readonly Gauge[] {
    const figure = (name: string, help: string, value: number): Gauge => ({
      name: `tsreg_upstream_${name}`,
      help,
      value,
      kind: name.endsWith('_total') ? 'counter' : 'gauge',
    });
    return [
      figure('kept_bytes', 'Bytes of archives and index files of upstreams.', this.#bytes + this.#added),
      figure(
        'quota_bytes',
        'Most bytes that archives and index files of upstreams may have.',
        this.#maxBytes,
      ),
      figure('evicted_total', 'Archives and index files that were evicted.', this.#evictedFiles),
      figure('evicted_bytes_total', 'Bytes of evicted archives and index files.', this.#evictedBytes),
    ];
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweep;
  }

  #begin(): void {
    this.#sweep ??= this.#run()
      .catch((error: unknown) => {
        this.#context.log.warning('upstream-not-evicted', { reason: reasonOf(error) });
      })
      .finally(() => {
        this.#sweep = null;
      });
  }

  async #run(): Promise<void> {
    const { records, log } = this.#context;
    this.#added = 0;
    this.#bytes = await records.sumMirrored();
    if (this.#bytes <= this.#maxBytes) return;
    const [files, bytes] = [this.#evictedFiles, this.#evictedBytes];
    for (let isAnyLeft = true; isAnyLeft && this.#bytes > this.#maxBytes * KEPT_PART; ) {
      isAnyLeft = false;
      for (const use of await records.listLeastUsedMirrored(EVICTED_AT_ONCE)) {
        if (this.#bytes <= this.#maxBytes * KEPT_PART) break;
        if (await this.#evict(use)) isAnyLeft = true;
      }
    }
    log.info('upstream-evicted', {
      files: this.#evictedFiles - files,
      bytes: this.#evictedBytes - bytes,
      left: this.#bytes,
    });
  }

  /** Evicts a file. Returns false if it was used meanwhile. */
  async #evict(use: MirrorUse): Promise<boolean> {
    const { records, blobs } = this.#context;
    if (!(await records.evictMirrored(use))) return false;
    const { size } = use.kind === 'archive' ? use.archive : use;
    this.#bytes -= size;
    this.#evictedFiles += 1;
    this.#evictedBytes += size;
    // Delete the blob after its record: after a crash, it is a blob without a record, which `verify` finds.
    if (use.kind === 'archive') await blobs.delete(use.archive.blobKey);
    return true;
  }
}
