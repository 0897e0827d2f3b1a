/**
 * The resolver's input and output. `resolveFromLock` and `solve` are pure and synchronous. They read the `Problem` and
 * the `SummaryTable`, and return missing summaries as `MissingSummary`s, which `io/sources` loads asynchronously.
 */
import type { PackageId } from '../package-id/package-id.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Dependency, FeatureValue, Summary } from '../summary/summary.ts';
import type { PartialVersion } from '../version/partial-version.ts';
import type { Version } from '../version/version.ts';
import type { Failure } from './failure.ts';
import type { PublishAge } from './publish-age.ts';
import type { Resolution } from './resolution.ts';

/** The result for summaries that the table has not loaded yet. */
export const UNKNOWN = Symbol('unknown');
/** The result for a version that is known not to exist. */
export const ABSENT = Symbol('absent');

/** A version that the index lists but cargo cannot use. Only for messages. */
export interface RejectedVersion {
  readonly version: Version;
  readonly reason:
    | {
        readonly kind: 'unsupported-index';
        readonly indexVersion: number;
        /** `rust-version` of the entry; null if none. */
        readonly rustVersion: string | null;
      }
    | { readonly kind: 'invalid-entry' };
}

/**
 * Summaries by source and name. Synchronous; only grows, while summaries load. A package always has the same `Summary`
 * object. Sources are the original ones, not those that replace them.
 */
export interface SummaryTable {
  /** Returns one version. The lock file and a manifest may suffice for that, without reading the index. */
  exact(source: SourceId, name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN;
  /**
   * Returns every version in any order, including yanked ones; empty if the package does not exist. May omit versions
   * that `accepts` rejects, because reading them takes most of the time.
   */
  all(
    source: SourceId,
    name: string,
    accepts?: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN;
  /** Like `all`, but accepts cached data, even if the lock file does not name the package. */
  atHand(
    source: SourceId,
    name: string,
    accepts?: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN;
  /**
   * Returns exactly the accepted versions that are on disk; UNKNOWN if only `all` can tell. Optional, for tables that do
   * not need it.
   */
  downloaded?(
    source: SourceId,
    name: string,
    accepts: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN;
  /** Returns the versions that `all` omits; empty while unknown. */
  rejected(source: SourceId, name: string): readonly RejectedVersion[];
  /** Returns true if using the package needs no network: its archive or checkout is on disk, or its source is local. */
  isDownloaded(source: SourceId, name: string, version: Version): boolean;
}

/** A package whose summaries are missing in the table. */
export interface MissingSummary {
  readonly source: SourceId;
  readonly name: string;
}

/** Returns true if a result is not a list of summaries but a package to load first. */
export function isMissing<T extends MissingSummary>(result: readonly Summary[] | T): result is T {
  return !Array.isArray(result);
}

/** A missing summary, with the dependency that needs it. */
export interface RequiredSummary extends MissingSummary {
  /** ``package `p v0.1.0 (/p)` `` and the path of dependencies that leads there. */
  readonly requiredBy: string;
}

/**
 * Observes the queries of a running search. Index files arrive in rounds. A failure before the next round is final, so
 * the requirement that it names depends on the order and time of queries.
 */
export interface QueryObserver {
  /** Announces a query to `source`. `isLocked`: a lock file names the version. */
  beginQuery(source: SourceId, isLocked: boolean): void;
  /**
   * Requests missing summaries; `isLocked` is as in `beginQuery`. Returns true if the search must wait for them;
   * otherwise it continues without them.
   */
  ask(missing: RequiredSummary, isLocked: boolean): boolean;
  /** Reports, at the time of the query, that a `paths` override has other dependencies than the package it replaces. */
  warn?(text: string): void;
}

/** The requested features of a member. */
export interface RequestedFeatures {
  /** Names first, then `dep/feature`; each sorted by name. */
  readonly features: readonly FeatureValue[];
  /** True for every feature of the member. */
  readonly all: boolean;
  /** True for the feature `default`, if the member has it. */
  readonly default: boolean;
}

/** A member, with its requested features. */
export interface Root {
  readonly summary: Summary;
  readonly requested: RequestedFeatures;
}

/** A graph of packages without summaries, from a lock file or a previous resolution. */
export interface Previous {
  readonly packages: readonly PackageId[];
  /** Edges of `packages`, as indexes into it. */
  readonly edges: readonly (readonly number[])[];
  /** The replacement of each replaced package (`[replace]`), as indexes into `packages`. */
  readonly replacements: ReadonlyMap<number, number>;
  readonly unusedPatches: readonly PackageId[];
  /** True for lock files of version 1 and 2, in which `branch=master` and no branch are the same. */
  readonly mergesMasterBranch: boolean;
}

/** A package that the previous resolution locks, with its locked dependencies. */
export interface PinnedPackage {
  readonly id: PackageId;
  readonly dependencies: readonly PackageId[];
}

/** The packages that the previous resolution locks or prefers. See `lockPrevious`. */
export interface Locks {
  /** Pinned packages by their source's `unpinnedKey` and their name. */
  readonly pinned: ReadonlyMap<string, ReadonlyMap<string, readonly PinnedPackage[]>>;
  /** Keys of packages that are tried first, even if they are yanked or too new. */
  readonly preferred: ReadonlySet<string>;
}

/** The `[patch]` tables with their selected summaries. See `selectPatches`. */
export interface Patches {
  /** By the canonical URL of the patched source. */
  readonly bySource: ReadonlyMap<string, PatchedSource>;
  /** The entries as written. Packages that match one are tried first. */
  readonly dependencies: readonly Dependency[];
  /**
   * Locks for the patches' own dependencies; null if they have the same locks as all others. In the graph pass, cargo
   * still uses the locks of the lock pass for them.
   */
  readonly locks: Locks | null;
}

/** The packages by which `[patch.URL]` replaces those of one source. */
export interface PatchedSource {
  readonly summaries: readonly Summary[];
  /** IDs of `summaries`, and their IDs in old lock files. */
  readonly available: readonly PackageId[];
}

/** One entry of `[replace]`. Cargo Book: Overriding Dependencies. */
export interface ReplacementRule {
  /** The package ID spec as written. */
  readonly spec: string;
  matches(id: PackageId): boolean;
  readonly dependency: Dependency;
}

/**
 * The version that `update --precise` requests from one registry. It replaces `from` for every requirement that accepts
 * `from`, and may be yanked.
 */
export interface PreciseVersion {
  readonly source: SourceId;
  readonly name: string;
  readonly from: Version;
  /** Without build metadata, any build metadata matches. */
  readonly to: Version;
  /** Called if the version is used although it is yanked. */
  readonly onYanked: (version: Version) => void;
}

/** The parts of a problem that change the candidates that the table has. */
export interface Overrides {
  readonly patches: Patches;
  readonly replacements: readonly ReplacementRule[];
  /** Packages of the `paths` configuration, by name. Each replaces all others of its name. */
  readonly overrides: ReadonlyMap<string, Summary>;
}

/** All inputs of a resolution except the summaries. */
export interface Problem extends Overrides {
  /** The members in discovery order. */
  readonly roots: readonly Root[];
  readonly locks: Locks;
  /** Rust versions that candidates should support; empty unless the resolver is MSRV-aware. */
  readonly rustVersions: readonly PartialVersion[];
  /** Finds versions that are too new to be candidates; null if none are. */
  readonly publishAge: PublishAge | null;
  /** True if only downloaded versions are candidates; if there are none, all versions are. */
  readonly offline: boolean;
  /** At most one for each registry. */
  readonly precise?: readonly PreciseVersion[];
}

/** Returns true if there is any patch, replacement or `paths` override. */
export function hasOverrides({ patches, replacements, overrides }: Overrides): boolean {
  return patches.bySource.size > 0 || replacements.length > 0 || overrides.size > 0;
}

/** The result of a search. A failure is final even if summaries are missing. */
export type Outcome =
  | { readonly kind: 'done'; readonly resolution: Resolution }
  | { readonly kind: 'needs'; readonly missingSummaries: readonly RequiredSummary[] }
  | { readonly kind: 'failed'; readonly failure: Failure };
