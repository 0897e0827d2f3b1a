/** The cache of an upstream registry, and reserved names, which never come from it. */

/** Records about upstreams. Every method is one transaction. Missing values are null. */
export interface UpstreamRecords {
  findPulledIndex(file: PulledFileName): Promise<PulledIndexFile | null>;
  /** Finds the same as `findPulledIndex`, without reading the body. */
  findPulledState(file: PulledFileName): Promise<PulledIndexState | null>;
  /** Saves an index file and replaces the cached one. */
  savePulledIndex(file: PulledIndexFile): Promise<void>;
  /** Notes that the upstream reported no change. */
  touchPulledIndex(file: PulledFileName, checkedAtMs: number): Promise<void>;
  findPulledArchive(checksum: string): Promise<PulledArchive | null>;
  /** Saves an archive. Returns the cached one: that of another process if it was faster. */
  savePulledArchive(archive: PulledArchive): Promise<PulledArchive>;
  /** Removes an archive if it is cached. */
  forgetPulledArchive(archive: PulledArchive): Promise<void>;
  /** Notes that an archive was used. */
  touchPulledArchive(checksum: string, usedAtMs: number): Promise<void>;
  /** Yields every archive, read in batches. */
  eachPulledArchive(): AsyncIterable<PulledArchive>;
  /** Returns the total bytes of the archives and index files of all upstreams. */
  sumPulled(): Promise<number>;
  /** Lists archives and index files, least recently used first. */
  listLeastUsedPulled(limit: number): Promise<readonly PulledUse[]>;
  /**
   * Deletes an archive, or empties an index file but remembers that it existed. Returns false, and changes nothing, if
   * it was used or replaced meanwhile.
   */
  evictPulled(use: PulledUse): Promise<boolean>;

  /** Returns true if a crate of this name, in any spelling, exists here, or if the name is reserved. */
  isReservedName(name: string): Promise<boolean>;
  /** Returns true if the name is reserved. */
  isReserved(name: string): Promise<boolean>;
  /** Lists reserved names by pattern. */
  listReservedNames(): Promise<readonly ReservedName[]>;
  /** Reserves a name, with an audit entry. Returns false, and changes nothing, if it is reserved already. */
  addReservedName(change: ReservedNameChange): Promise<boolean>;
  /** Releases a name, with an audit entry. Returns false if it is not reserved. */
  removeReservedName(change: ReservedNameChange): Promise<boolean>;
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

/** A reserved name, which never comes from the upstream. */
export interface ReservedName {
  /** A name, or a prefix followed by `*`; in lower case with `_` for `-`. */
  readonly pattern: string;
  /** In plain English. */
  readonly reason: string | null;
  readonly addedAtMs: number;
}

/** A name to reserve or release. */
export interface ReservedNameChange {
  /** A name, or a prefix followed by `*`, in any spelling. */
  readonly pattern: string;
  readonly reason: string | null;
  readonly atMs: number;
}
