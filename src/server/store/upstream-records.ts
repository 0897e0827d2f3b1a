/** The cache of an upstream registry. */
import type { MirrorList, MirrorListRequest } from './mirrored-crates.ts';
import type { Page, PageRequest } from './values.ts';

/** Records about upstreams. The rules of `Records` apply. */
export interface UpstreamRecords
  extends MirroredIndexRecords,
    MirroredArchiveRecords,
    MirrorListRecords,
    EvictionRecords {}

/** The cached index files of upstreams. */
export interface MirroredIndexRecords {
  findMirroredIndex(file: MirroredFileName): Promise<MirroredIndexFile | null>;
  /** Finds the same as `findMirroredIndex`, without reading the body. */
  findMirroredState(file: MirroredFileName): Promise<MirroredIndexState | null>;
  /** Saves an index file and replaces the cached one. */
  saveMirroredIndex(file: MirroredIndexFile): Promise<void>;
  /** Notes that the upstream reported no change. */
  touchMirroredIndex(file: MirroredFileName, checkedAtMs: number): Promise<void>;
}

/** The cached archives of upstreams. */
export interface MirroredArchiveRecords {
  findMirroredArchive(checksum: string): Promise<MirroredArchive | null>;
  /** Saves an archive. Returns the cached one: that of another process if it was faster. */
  saveMirroredArchive(archive: MirroredArchive): Promise<MirroredArchive>;
  /** Removes an archive if it is cached. */
  removeMirroredArchive(archive: MirroredArchive): Promise<void>;
  /** Notes that an archive was used. */
  touchMirroredArchive(checksum: string, usedAtMs: number): Promise<void>;
  /** Yields every archive, read in batches. */
  eachMirroredArchive(): AsyncIterable<MirroredArchive>;
}

/** Lists of the cache, for pages. */
export interface MirrorListRecords {
  /**
   * Lists cached index files by name, without those that were evicted, and without names that are used or reserved here.
   * Examines a limited number of them. The first 20,000 names after `after` are searched for `part`.
   */
  listMirroredStates(upstream: string, request: MirrorListRequest): Promise<MirrorList<MirroredIndexState>>;
  /**
   * Searches the same index files for names that contain `part`, in lower case and with `-` or `_` as its separators.
   * Those that begin with it come first, then the others, each by name. Finds at most 1,000 names, of the first 20,000
   * and of those that begin with `part`.
   */
  searchMirroredStates(upstream: string, part: string, page: PageRequest): Promise<Page<MirroredIndexState>>;
  /** Returns those of the names in lower case whose index files are cached. Considers only the first 500. */
  findMirroredNames(upstream: string, lowerCaseNames: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns the cached archives with these checksums. Considers only the first 500. */
  listMirroredArchives(checksums: readonly string[]): Promise<readonly MirroredArchive[]>;
  /** Counts the files of all upstreams. */
  countMirrored(): Promise<MirrorCounts>;
}

/** Numbers of cached files. */
export interface MirrorCounts {
  readonly indexFiles: number;
  readonly archives: number;
}

/** The size of the cache, and what to remove from it. */
export interface EvictionRecords {
  /** Returns the total bytes of the archives and index files of all upstreams. */
  sumMirrored(): Promise<number>;
  /** Lists archives and index files, least recently used first. */
  listLeastUsedMirrored(limit: number): Promise<readonly MirrorUse[]>;
  /**
   * Deletes an archive, or empties an index file but remembers that it existed. Returns false, and changes nothing, if
   * it was used or replaced meanwhile.
   */
  evictMirrored(use: MirrorUse): Promise<boolean>;
}

/** The name of an index file of an upstream. */
export interface MirroredFileName {
  /** URL of the index. */
  readonly upstream: string;
  /** The last part of the file's path. */
  readonly lowerCaseName: string;
}

/** An index file of the upstream, as last received. */
export interface MirroredIndexFile extends MirroredFileName {
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
export interface MirroredIndexState extends Omit<MirroredIndexFile, 'body'> {
  /** Bytes of the body; null if `body` is null, 0 if it is empty. */
  readonly size: number | null;
}

/** A cached archive or index file, with its last use. */
export type MirrorUse =
  | { readonly kind: 'archive'; readonly archive: MirroredArchive }
  | {
      readonly kind: 'index';
      readonly file: MirroredFileName;
      readonly size: number;
      readonly checkedAtMs: number;
    };

/** A cached `.crate` of the upstream whose checksum matches the index. */
export interface MirroredArchive {
  /** Hex SHA-256. */
  readonly checksum: string;
  readonly size: number;
  readonly blobKey: string;
  readonly mirroredAtMs: number;
  /** Accurate to about an hour. */
  readonly usedAtMs: number;
}
