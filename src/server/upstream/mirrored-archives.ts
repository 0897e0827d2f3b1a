/** The cached archives of an upstream. */
import { SingleFlight } from '../shared/single-flight.ts';
import { Slots } from '../shared/slots.ts';
import type { FinishedBlob } from '../store/blobs.ts';
import type { CacheCounts } from '../store/mirror-status.ts';
import type { MirroredArchive } from '../store/upstream-records.ts';
import { ArchiveIntake } from './archive-intake.ts';
import type { MirroredLine } from './check-index-file.ts';
import { QUEUE_IS_FULL } from './upstream-client.ts';
import {
  refuseFile,
  requireOnline,
  type UpstreamContext,
  type UpstreamOptions,
  writeToCache,
} from './upstream-context.ts';

/** Counts of archives that were cached, and of downloads from the upstream. */
export interface MirroredArchiveCounts extends CacheCounts {
  readonly archives: number;
  readonly bytes: number;
  /** Archives with the wrong checksum. */
  readonly refusedFiles: number;
}

/** Minimum time between two updates of the last use of an archive. */
const TOUCH_AFTER_MS = 60 * 60_000;
/** Archives to download at a time. Each uses a few MiB of memory at most. */
const ARCHIVE_SLOTS = 12;
/** Maximum downloads that wait for their turn. */
const MAX_WAITING = 2_000;

/** Finds archives in the cache, and downloads, checks and caches the others. */
export class MirroredArchives {
  readonly #context: UpstreamContext;
  readonly #options: UpstreamOptions;
  /** Downloads in progress, by checksum. */
  readonly #downloads = new SingleFlight<MirroredArchive | null>();
  readonly #slots = new Slots(ARCHIVE_SLOTS, MAX_WAITING);
  #archives = 0;
  #bytes = 0;
  #refusedFiles = 0;
  #hits = 0;
  #misses = 0;

  constructor(context: UpstreamContext, options: UpstreamOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** What has happened since the server started. */
  get counts(): MirroredArchiveCounts {
    return {
      archives: this.#archives,
      bytes: this.#bytes,
      refusedFiles: this.#refusedFiles,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  /** Returns the archive of an index line; null if the upstream does not have it. Throws `UpstreamProblem`. */
  async find(line: MirroredLine): Promise<MirroredArchive | null> {
    const { records, blobs } = this.#context;
    const cached = await records.findMirroredArchive(line.checksum);
    const isThere = cached !== null && (await blobs.stat(cached.blobKey)) !== null;
    if (isThere) this.#hits += 1;
    else this.#misses += 1;
    const archive = isThere
      ? cached
      : await this.#downloads.run(line.checksum, () =>
          this.#slots.run(
            () => this.#download(line, cached),
            () => this.#options.client.problem(fileOf(line), QUEUE_IS_FULL),
          ),
        );
    if (archive !== null) await this.#touch(archive);
    return archive;
  }

  /**
   * Downloads the archive of a line to the store. Nothing is visible or sent before its checksum is verified. If the
   * client disconnects, the download goes on for its next attempt. `lost` is a record whose blob is missing.
   */
  async #download(line: MirroredLine, lost: MirroredArchive | null): Promise<MirroredArchive | null> {
    const { records, blobs, clock, log } = this.#context;
    const { client, quota } = this.#options;
    const { name, version, checksum } = line;
    requireOnline(this.#options, fileOf(line));
    await quota?.waitForEviction();
    const intake = new ArchiveIntake(blobs);
    let blob: FinishedBlob | null;
    try {
      const isThere = await client.archive(line, () => intake.begin());
      if (!isThere) return null;
      blob = await intake.finish(checksum);
    } finally {
      await intake.discard();
    }
    if (blob === null) {
      this.#refusedFiles += 1;
      const file = { what: fileOf(line), reason: 'its checksum does not match the index' };
      throw refuseFile(this.#context, this.#options, file);
    }
    if (lost !== null) await records.removeMirroredArchive(lost);
    const { key: blobKey, size } = blob;
    const nowMs = clock.now();
    const archive = { checksum, blobKey, size, mirroredAtMs: nowMs, usedAtMs: nowMs };
    const cached = await records.saveMirroredArchive(archive);
    // Another server was faster.
    if (cached.blobKey !== blobKey) await blobs.delete(blobKey);
    this.#archives += 1;
    this.#bytes += size;
    quota?.add(size);
    log.info('pulled', { crate: name, version, checksum, bytes: size });
    return cached;
  }

  async #touch({ checksum, usedAtMs }: MirroredArchive): Promise<void> {
    const { records, clock } = this.#context;
    const nowMs = clock.now();
    if (nowMs < usedAtMs + TOUCH_AFTER_MS) return;
    await writeToCache(this.#context, () => records.touchMirroredArchive(checksum, nowMs));
  }
}

/** Returns how messages name an archive. */
function fileOf({ name, version }: MirroredLine): string {
  return `the file of crate \`${name}\` version \`${version}\``;
}
