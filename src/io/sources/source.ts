/**
 * A place that packages come from, after source replacement. A `PackageSource` is made for an original source, and its
 * summaries carry that original id.
 */
import type { PlacedFile } from '../../core/files/files.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { RejectedVersion, UNKNOWN } from '../../core/resolve/problem.ts';
import type { Version } from '../../core/version/version.ts';
import type { ABSENT } from '../../core/resolve/problem.ts';

/** A package on disk whose manifest can be read. */
export interface FetchedPackage {
  readonly id: PackageId;
  /** Absolute folder that holds its `Cargo.toml`. */
  readonly root: string;
  /** The archive that it was unpacked from. If it is gone, the package must be fetched again. */
  readonly archive?: PlacedFile;
  /** Its manifest, if the source has already read it. */
  readonly manifest?: PackageManifest;
  /** True if this call downloaded it. Errors about it are then not download errors. */
  readonly wasDownloaded?: boolean;
}

/** Callbacks of a fetch. */
export interface FetchListener {
  /** Called when all status lines before the first download are printed; not called without a download. */
  readonly onBegun?: () => void;
  /**
   * Called for each newly unpacked package, in the order of the request. A call may be delayed, and some calls are
   * missing if a package fails.
   */
  readonly onUnpacked?: (fetched: FetchedPackage) => void;
}

/** A source with synchronous queries and asynchronous loading. */
export interface PackageSource {
  /** The source as manifests and lock files name it. */
  readonly original: SourceId;
  /** The source that its packages really come from; equals `original` unless replaced. */
  readonly actual: SourceId;
  /** Returns every usable version of `name`, including yanked ones. May leave out versions that `accepts` rejects. */
  all(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN;
  /** Returns one version, from disk if that is certain to be right. */
  exact(name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN;
  /** Returns the versions of `name` that `all` leaves out. */
  rejected(name: string): readonly RejectedVersion[];
  /**
   * False while locked versions are still read from an earlier run's files. Becomes true by `invalidate`, or by loading
   * a name whose version `exact` did not find on disk.
   */
  readonly isUpdated: boolean;
  /** Forgets all data that was read without querying the origin. Later loads query the origin. */
  invalidate(): void;
  /** Loads `names`, so that `all` knows them. Prints cargo's status lines. Rejects with cargo's error chain. */
  load(names: readonly string[]): Promise<void>;
  /** Returns true if `fetch` needs no network for it. */
  isDownloaded(name: string, version: Version): boolean;
  /**
   * Puts packages on disk: downloads, verifies the summary's checksum, unpacks. Returns where each package is. A
   * failure leaves nothing behind that a later run would trust.
   */
  fetch(summaries: readonly Summary[], listener?: FetchListener): Promise<readonly FetchedPackage[]>;
  /** Returns names that a user may have meant. Loads the names it needs. */
  similarNames(name: string): Promise<readonly string[]>;
  /** The text in `location searched: …`. */
  readonly description: string;
}
