/** Abilities that only registries have. */
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { IndexConfig } from '../../core/protocol/index-config.ts';
import type { UNKNOWN } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { Version } from '../../core/version/version.ts';
import type { PackageSource } from './source.ts';

/** A registry whose index files are requested one by one and arrive in rounds. */
export interface RoundwiseSource extends PackageSource {
  /** Returns true if index data of `name` is available, however old. Always true without network. */
  knows(name: string): boolean;
  /** Prints `Updating`, once. Returns false if `request` needs no network or fails at once. */
  announce(): boolean;
  /** Like `invalidate`, for repeated queries: does not announce the update again. */
  expire(): void;
  /** Announces names that will most likely be used. Their index files may be prefetched until `unexpect`. */
  expect(names: readonly string[]): void;
  /** Cancels the prefetch. */
  unexpect(): void;
  /** Like `load`, but does not query the origin again if a locked version is missing. */
  request(names: readonly string[]): Promise<void>;
}

/** Returns true if a source loads its index in rounds. */
export function isRoundwise(source: PackageSource): source is RoundwiseSource {
  return 'expect' in source;
}

/** A registry that reads from disk while only locked versions are used. */
export interface DatedSource extends PackageSource {
  /** Like `all`, from available data, however old; UNKNOWN if there is none. */
  atHand(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN;
}

/** Returns true if the available data of a source may be out of date. */
export function isDated(source: PackageSource): source is DatedSource {
  return 'atHand' in source;
}

/** A registry that can list downloaded versions without reading its whole index. */
export interface OfflineVersions extends PackageSource {
  /** Returns the accepted versions with archives on disk, without network; UNKNOWN if only `all` can decide. */
  downloaded(name: string, accepts: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN;
}

/** Returns true if a source can list its downloaded versions. */
export function isOffline(source: PackageSource): source is OfflineVersions {
  return 'downloaded' in source;
}

/** A source that caches the data it reads. */
export interface CachingSource extends PackageSource {
  /** Writes data that is not in the cache yet. */
  store(): Promise<void>;
}

/** Returns true if a source has a cache to write. */
export function isCaching(source: PackageSource): source is CachingSource {
  return 'store' in source;
}

/** A source whose packages can be yanked. */
export interface YankingSource extends PackageSource {
  /** Queries the origin again and returns those of `ids` that are yanked. */
  yankedAmong(ids: readonly PackageId[]): Promise<readonly PackageId[]>;
}

/** Returns true if packages of a source can be yanked. */
export function isYanking(source: PackageSource): source is YankingSource {
  return 'yankedAmong' in source;
}

/** A registry on the network, which may have a web API. */
export interface RegistrySource extends YankingSource {
  /** Returns `config.json` from disk. Fetches it if it is missing or the source was invalidated. */
  config(): Promise<IndexConfig>;
  /** Like `invalidate`, for repeated queries: does not announce the update again. */
  expire(): void;
  /**
   * Returns the current versions of a package, including yanked ones. Queries the origin again, without another
   * announcement.
   */
  current(name: string): Promise<readonly Summary[]>;
  /** Like `current`, for several packages, by name. Fetches shared parts of the index once. */
  currentOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly Summary[]>>;
}

/** Returns true for a source whose data on disk is only valid for locked versions. */
export function isRemoteRegistry({ actual }: PackageSource): boolean {
  return actual.kind === 'registry' || actual.kind === 'sparse-registry';
}
