/** Places that packages come from. */
import type { PlacedFile } from '../../core/files/files.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { describeSource, displaySource } from '../../core/package-id/describe.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import { isCratesIo, type SourceId } from '../../core/package-id/source-id.ts';
import { ABSENT, type RejectedVersion, UNKNOWN } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { Version } from '../../core/version/version.ts';

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

/**
 * A place that packages come from, after source replacement. Its summaries carry the original id. Queries are
 * synchronous, loading is asynchronous.
 *
 * The methods with a body are right for packages that never change: those of a folder, or of a commit. Registries
 * override them.
 */
export abstract class Source {
  /** The source as manifests and lock files name it. */
  readonly original: SourceId;
  /** The source that its packages really come from; equals `original` unless replaced. */
  readonly actual: SourceId;
  /** True if `actual` replaces `original`. crates.io's two indexes count as one. */
  readonly isReplaced: boolean;
  /** The text in `location searched: …`. */
  readonly description: string;

  constructor(original: SourceId, actual: SourceId) {
    this.original = original;
    this.actual = actual;
    this.isReplaced = original !== actual && !(isCratesIo(original) && isCratesIo(actual));
    const place = describeSource(actual);
    this.description = this.isReplaced ? `${place} (which is replacing ${displaySource(original)})` : place;
  }

  /** Returns every usable version of `name`, including yanked ones. May leave out versions that `accepts` rejects. */
  abstract all(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN;

  /** Returns one version, from disk if that is certain to be right. */
  exact(name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN {
    const versions = this.all(name);
    if (versions === UNKNOWN) return UNKNOWN;
    return versions.find(({ id }) => id.version.text === version.text) ?? ABSENT;
  }

  /** Like `all`, from available data, however old; UNKNOWN if there is none. */
  atHand(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN {
    return this.all(name, accepts);
  }

  /** Returns the accepted versions with archives on disk, without network; UNKNOWN if only `all` can decide. */
  downloaded(_name: string, _accepts: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN {
    return UNKNOWN;
  }

  /** Returns the versions of `name` that `all` leaves out. */
  rejected(_name: string): readonly RejectedVersion[] {
    return [];
  }

  /** Returns true if `fetch` needs no network for it. */
  abstract isDownloaded(name: string, version: Version): boolean;

  /**
   * False while locked versions are still read from an earlier run's files. Becomes true by `invalidate`, or by loading
   * a name whose version `exact` did not find on disk.
   */
  get isUpdated(): boolean {
    return true;
  }

  /** Forgets all data that was read without querying the origin. Later loads query the origin. */
  invalidate(): void {
    // There is no origin to query.
  }

  /** Loads `names`, so that `all` knows them. Prints cargo's status lines. Rejects with cargo's error chain. */
  abstract load(names: readonly string[]): Promise<void>;

  /** Announces names that will most likely be used. Their index files may be prefetched until `cancelPrefetch`. */
  prefetch(_names: readonly string[]): void {
    // Its packages are read together.
  }

  /** Cancels the prefetch. */
  cancelPrefetch(): void {
    // It never starts.
  }

  /**
   * Prepares a `request` of `name`, and prints `Updating` once. Returns true if a search can go on meanwhile, and false
   * if the request needs no network or fails at once. `isLocked`: a lock file names the version.
   */
  announce(_name: string, _isLocked: boolean): boolean {
    return false;
  }

  /** Like `load`, for announced names: does not query the origin again if a locked version is missing. */
  request(names: readonly string[]): Promise<void> {
    return this.load(names);
  }

  /** Writes data that is not in the cache yet. */
  store(): Promise<void> {
    return Promise.resolve();
  }

  /** Queries the origin again and returns those of `ids` that are yanked. */
  yankedAmong(ids: readonly PackageId[]): Promise<readonly PackageId[]> {
    const yanked = ids.filter(({ name, version }) => {
      const summary = this.exact(name, version);
      return summary !== UNKNOWN && summary !== ABSENT && summary.yanked;
    });
    return Promise.resolve(yanked);
  }

  /**
   * Puts packages on disk: downloads, verifies the summary's checksum, unpacks. Returns where each package is. A
   * failure leaves nothing behind that a later run would trust.
   */
  abstract fetch(summaries: readonly Summary[], listener?: FetchListener): Promise<readonly FetchedPackage[]>;

  /** Returns names that a user may have meant. Loads the names it needs. */
  abstract similarNames(name: string): Promise<readonly string[]>;
}
