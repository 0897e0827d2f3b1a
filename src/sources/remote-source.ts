/** What registries can do beside all other sources. */
import type { PackageId } from '../package-id/package-id.ts';
import type { IndexConfig } from '../protocol/index-config.ts';
import type { UNKNOWN } from '../resolve/problem.ts';
import type { Summary } from '../summary/summary.ts';
import type { Version } from '../version/version.ts';
import type { PackageSource } from './source.ts';

/** A registry whose index files are asked for one by one, and arrive in rounds. */
export interface RoundwiseSource extends PackageSource {
  /** True if what the index has of `name` is at hand, however old. Without network that is always so. */
  knows(name: string): boolean;
  /** Prints `Updating`, once. False if `request` needs no network, or fails at once. */
  announce(): boolean;
  /** As `invalidate`, for who asks again what could not be had before: that is not announced again. */
  expire(): void;
  /** Names that will most likely be asked for: their answers may be fetched in advance. Until `unexpect`. */
  expect(names: readonly string[]): void;
  /** Nothing more of what was expected will be asked for. */
  unexpect(): void;
  /** As `load`, which does not mind if a version that a lock file names is not among those that arrive. */
  request(names: readonly string[]): Promise<void>;
}

/** Does a source give its answers in rounds? */
export function isRoundwise(source: PackageSource): source is RoundwiseSource {
  return 'expect' in source;
}

/** A registry that answers from disk as long as only versions are asked for that a lock file names. */
export interface DatedSource extends PackageSource {
  /** As `all`, of what is at hand, however old; UNKNOWN if nothing is. */
  atHand(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN;
}

/** May what a source has at hand be out of date? */
export function isDated(source: PackageSource): source is DatedSource {
  return 'atHand' in source;
}

/** A registry that can tell of what is on disk without reading all that its index says. */
export interface HoardingSource extends PackageSource {
  /** Without network: the accepted versions whose archives are on disk; UNKNOWN where only `all` can tell. */
  downloaded(name: string, accepts: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN;
}

/** Can a source tell of what it has on disk alone? */
export function isHoarding(source: PackageSource): source is HoardingSource {
  return 'downloaded' in source;
}

/** A source that leaves on disk what it made of what it read. */
export interface CachingSource extends PackageSource {
  /** Writes what is not on disk yet. */
  store(): Promise<void>;
}

/** Has a source anything to store? */
export function isCaching(source: PackageSource): source is CachingSource {
  return 'store' in source;
}

/** A source whose packages can be yanked. */
export interface YankingSource extends PackageSource {
  /** Asks the origin anew, whatever was asked before, and gives those of `ids` that it calls yanked. */
  yankedAmong(ids: readonly PackageId[]): Promise<readonly PackageId[]>;
}

/** Can packages of a source be yanked? */
export function isYanking(source: PackageSource): source is YankingSource {
  return 'yankedAmong' in source;
}

/** A registry on the network, which may have a web API. */
export interface RegistrySource extends YankingSource {
  /** What its `config.json` says: as it lies on disk, unless it is not there or the source was invalidated. */
  config(): Promise<IndexConfig>;
  /** As `invalidate`, for who asks again what could not be had before: that is not announced again. */
  expire(): void;
  /**
   * What the index has of a package now, yanked versions included: the origin is asked anew, whatever was asked before.
   * That is not announced again.
   */
  current(name: string): Promise<readonly Summary[]>;
  /** As `current`, of several packages by name; what they share of the index is asked for once. */
  currentOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly Summary[]>>;
}

/** True for sources whose answers from disk are out of date once something without a lock is asked. */
export function isRemoteRegistry({ actual }: PackageSource): boolean {
  return actual.kind === 'registry' || actual.kind === 'sparse-registry';
}
