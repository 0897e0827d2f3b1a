/** What is kept of another registry whose crates are passed on, and which names are never taken from there. */

/** The part of the records that is about an upstream. Every method is one transaction; what is not there is null. */
export interface UpstreamRecords {
  findPulledIndex(file: PulledFileName): Promise<PulledIndexFile | null>;
  /** As `findPulledIndex`, without reading what the file says. */
  findPulledState(file: PulledFileName): Promise<PulledIndexState | null>;
  /** Takes the place of what was kept. */
  savePulledIndex(file: PulledIndexFile): Promise<void>;
  /** The upstream has said that nothing changed. */
  touchPulledIndex(file: PulledFileName, checkedAtMs: number): Promise<void>;
  findPulledArchive(checksum: string): Promise<PulledArchive | null>;
  /** The one that is kept from now on: where another process was faster, its. */
  savePulledArchive(archive: PulledArchive): Promise<PulledArchive>;
  /** Fine if it is not kept. */
  forgetPulledArchive(archive: PulledArchive): Promise<void>;
  /** Notes that an archive was used. */
  touchPulledArchive(checksum: string, usedAtMs: number): Promise<void>;
  /** Every one, in parts. */
  eachPulledArchive(): AsyncIterable<PulledArchive>;
  /** Bytes of all archives and index files, of every upstream. */
  sumPulled(): Promise<number>;
  /** Archives and index files, the least recently used first. */
  listLeastUsedPulled(limit: number): Promise<readonly PulledUse[]>;
  /**
   * Forgets an archive, or empties an index file, of which stays that it was there. False, and nothing is changed, if it
   * was used or replaced meanwhile.
   */
  evictPulled(use: PulledUse): Promise<boolean>;

  /** True if a crate of that name, in whatever spelling, is here, or the name was set aside for one. */
  isOwnName(name: string): Promise<boolean>;
  /** True if the name was set aside. */
  isSetAside(name: string): Promise<boolean>;
  /** By pattern. */
  listOwnNames(): Promise<readonly OwnName[]>;
  /** False, and nothing is changed, if it was there. Goes into the audit trail. */
  addOwnName(change: OwnNameChange): Promise<boolean>;
  /** False if it was not there. Goes into the audit trail. */
  removeOwnName(change: OwnNameChange): Promise<boolean>;
}

/** Which file of which index. */
export interface PulledFileName {
  /** Address of the index. */
  readonly upstream: string;
  /** The last part of the file's path. */
  readonly lowerCaseName: string;
}

/** A file of the upstream's index, as it was when it was asked for last. */
export interface PulledIndexFile extends PulledFileName {
  /** null for a file that was there once and is gone; empty for one that was evicted. */
  readonly body: string | null;
  /** For whoever asks this server, with its quotes. Changes with `body`. */
  readonly etag: string;
  /** What the upstream wants to be asked with whether it still holds; null if it said nothing. */
  readonly upstreamEtag: string | null;
  readonly upstreamModified: string | null;
  readonly changedAtMs: number;
  readonly checkedAtMs: number;
}

/** A file of the upstream's index, by its size instead of what it says. */
export interface PulledIndexState extends Omit<PulledIndexFile, 'body'> {
  /** Bytes of the body; null and 0 as `body` is null and empty. */
  readonly size: number | null;
}

/** An archive, or an index file, as it was used last. */
export type PulledUse =
  | { readonly kind: 'archive'; readonly archive: PulledArchive }
  | {
      readonly kind: 'index';
      readonly file: PulledFileName;
      readonly size: number;
      readonly checkedAtMs: number;
    };

/** A `.crate` of the upstream whose bytes were those that its index tells of. */
export interface PulledArchive {
  /** Hex SHA-256. */
  readonly checksum: string;
  readonly size: number;
  readonly blobKey: string;
  readonly pulledAtMs: number;
  /** Exact to an hour or so. */
  readonly usedAtMs: number;
}

/** A name that is this registry's own, whatever the upstream has. */
export interface OwnName {
  /** A name, or the beginning of names followed by `*`; in lower case with `_` for `-`. */
  readonly pattern: string;
  /** In plain words. */
  readonly reason: string | null;
  readonly addedAtMs: number;
}

/** A name to be set aside, or no longer. */
export interface OwnNameChange {
  /** A name, or the beginning of names followed by `*`, in whatever spelling. */
  readonly pattern: string;
  readonly reason: string | null;
  readonly atMs: number;
}
