/** The cache of an upstream registry. */

/** Records about upstreams. The rules of `Records` apply. */
export interface UpstreamRecords extends PulledIndexRecords, PulledArchiveRecords, EvictionRecords {}

/** The cached index files of upstreams. */
export interface PulledIndexRecords {
  findPulledIndex(file: PulledFileName): Promise<PulledIndexFile | null>;
  /** Finds the same as `findPulledIndex`, without reading the body. */
  findPulledState(file: PulledFileName): Promise<PulledIndexState | null>;
  /** Saves an index file and replaces the cached one. */
  savePulledIndex(file: PulledIndexFile): Promise<void>;
  /** Notes that the upstream reported no change. */
  touchPulledIndex(file: PulledFileName, checkedAtMs: number): Promise<void>;
}

/** The cached archives of upstreams. */
export interface PulledArchiveRecords {
  findPulledArchive(checksum: string): Promise<PulledArchive | null>;
  /** Saves an archive. Returns the cached one: that of another process if it was faster. */
  savePulledArchive(archive: PulledArchive): Promise<PulledArchive>;
  /** Removes an archive if it is cached. */
  forgetPulledArchive(archive: PulledArchive): Promise<void>;
  /** Notes that an archive was used. */
  touchPulledArchive(checksum: string, usedAtMs: number): Promise<void>;
  /** Yields every archive, read in batches. */
  eachPulledArchive(): AsyncIterable<PulledArchive>;
}

/** The size of the cache, and what to remove from it. */
export interface EvictionRecords {
  /** Returns the total bytes of the archives and index files of all upstreams. */
  sumPulled(): Promise<number>;
  /** Lists archives and index files, least recently used first. */
  listLeastUsedPulled(limit: number): Promise<readonly PulledUse[]>;
  /**
   * Deletes an archive, or empties an index file but remembers that it existed. Returns false, and changes nothing, if
   * it was used or replaced meanwhile.
   */
  evictPulled(use: PulledUse): Promise<boolean>;
}

/** The name of an index file of an upstream. */
export interface PulledFileName {
  /** URL of the index. */
  readonly upstream: string;
  /** The last part of the file's path. */
  readonly lowerCaseName: string;
}

/** An index file of the upstream, as last received. */
export interface PulledIndexFile extends PulledFileName {
  /** null for a file that the upstream removed; empty for one that was evicted. */
  readonly body: string | null;
  /** `ETag` for the clients of this server, with its quotes. Changes with `body`. */
  readonly etag: string;
  /** Validators of the upstream for conditional requests; null if it sent none. */
  readonly upstreamEtag: string | null;
  readonly upstreamModified: string | null;
  readonly changedAtMs: number;
  readonly checkedAtMs: number;
}

/** An index file of the upstream, with its size instead of its content. */
export interface PulledIndexState extends Omit<PulledIndexFile, 'body'> {
  /** Bytes of the body; null if `body` is null, 0 if it is empty. */
  readonly size: number | null;
}

/** A cached archive or index file, with its last use. */
export type PulledUse =
  | { readonly kind: 'archive'; readonly archive: PulledArchive }
  | {
      readonly kind: 'index';
      readonly file: PulledFileName;
      readonly size: number;
      readonly checkedAtMs: number;
    };

/** A cached `.crate` of the upstream whose checksum matches the index. */
export interface PulledArchive {
  /** Hex SHA-256. */
  readonly checksum: string;
  readonly size: number;
  readonly blobKey: string;
  readonly pulledAtMs: number;
  /** Accurate to about an hour. */
  readonly usedAtMs: number;
}
