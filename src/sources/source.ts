/**
 * One place where packages come from, after source replacement. A `PackageSource` is made for an
 * original source; the summaries that it gives out carry that original id, whatever replaced it.
 */
import type { PlacedFile } from '../files/files.ts';
import type { PackageManifest } from '../manifest/manifest.ts';
import type { PackageId } from '../package-id/package-id.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Summary } from '../summary/summary.ts';
import type { RejectedVersion, UNKNOWN } from '../resolve/problem.ts';
import type { Version } from '../version/version.ts';
import type { ABSENT } from '../resolve/problem.ts';

/** A package that is on disk, ready to have its manifest read. */
export interface FetchedPackage {
  readonly id: PackageId;
  /** Absolute folder that holds its `Cargo.toml`. */
  readonly root: string;
  /** The archive that it was unpacked from, which is to be fetched again once it is gone. */
  readonly archive?: PlacedFile;
  /** Its manifest, where the source has read it already. */
  readonly manifest?: PackageManifest;
  /** True if this very call downloaded it; errors about it then are no longer about getting it. */
  readonly wasDownloaded?: boolean;
}

/** What a fetch tells while it goes on. */
export interface FetchListener {
  /** All is said that is said before the first download is there; not called if there is none. */
  readonly onBegun?: () => void;
  /**
   * A package is on disk that was not before. Called in the order in which packages were asked for, so not always at
   * once, and not for all of them where one is missing in the end.
   */
  readonly onUnpacked?: (fetched: FetchedPackage) => void;
}

/** Asked synchronously, loaded asynchronously. */
export interface PackageSource {
  /** The source as manifests and lock files name it. */
  readonly original: SourceId;
  /** Where its packages really come from; equals `original` unless replaced. */
  readonly actual: SourceId;
  /** Every usable version of `name`, yanked ones included. Those that `accepts` refuses may be left out. */
  all(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN;
  /** One version, answered from what is on disk where that is enough to be right. */
  exact(name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN;
  /** Versions of `name` that `all` leaves out. */
  rejected(name: string): readonly RejectedVersion[];
  /**
   * False while the source still answers from what an earlier run left on disk, because a lock file names it.
   * It turns true by `invalidate`, or by loading a name of which `exact` did not find the version on disk.
   */
  readonly isUpdated: boolean;
  /** Forgets every answer that was given without asking the origin; what is loaded from now on is asked for anew. */
  invalidate(): void;
  /** After it, `all` answers for every name. Prints cargo's status lines; rejects with cargo's error chain. */
  load(names: readonly string[]): Promise<void>;
  /** True if `fetch` of it needs no network. */
  isDownloaded(name: string, version: Version): boolean;
  /**
   * Puts packages on disk: downloads, checks the checksum (of the summary), unpacks, and says where each is.
   * Nothing that a later run would trust is left behind by a failure.
   */
  fetch(summaries: readonly Summary[], listener?: FetchListener): Promise<readonly FetchedPackage[]>;
  /** Names that a user may have meant; loads what it needs. */
  similarNames(name: string): Promise<readonly string[]>;
  /** As in `location searched: …`. */
  readonly description: string;
}
