/**
 * The resolver's question and answer. `closure` and `solve` are pure and synchronous: what they need
 * is in the `Problem` and the `SummaryTable`; what is missing they name as `Want`s, which a `Catalog`
 * loads asynchronously. Neither does the other's work.
 */
import type { PackageId } from '../package-id/package-id.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Dependency, FeatureValue, Summary } from '../summary/summary.ts';
import type { PartialVersion } from '../version/partial-version.ts';
import type { Version } from '../version/version.ts';
import type { Failure } from './failure.ts';
import type { PublishAge } from './publish-age.ts';
import type { Resolution } from './resolution.ts';

/** Answer of a table that has not been asked to load this yet. */
export const UNKNOWN = Symbol('unknown');
/** Answer for a version that is known not to exist. */
export const ABSENT = Symbol('absent');

/** A version that the index lists and cargo cannot use; only for the text of a failure. */
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
 * Summaries by source and name. Synchronous; grows only, and only through `Catalog.load`. The same
 * package is always the same `Summary` object. Sources are the original ones: replacement is the
 * catalog's business.
 */
export interface SummaryTable {
  /** One version, which may be known from the lock file and a manifest without the index having been read. */
  exact(source: SourceId, name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN;
  /**
   * Every version (any order, yanked ones included); empty if there is no such package. Those that `accepts`
   * refuses may be left out: reading what is not wanted costs most of the time.
   */
  all(
    source: SourceId,
    name: string,
    accepts?: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN;
  /** As `all`, where what is at hand will do: it is not asked for anew, even if the lock file does not name it. */
  atHand(
    source: SourceId,
    name: string,
    accepts?: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN;
  /**
   * As `all`, of no other versions than those that are on disk; UNKNOWN where only `all` can tell. Left out by tables
   * that are asked for nothing else.
   */
  downloaded?(
    source: SourceId,
    name: string,
    accepts: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN;
  /** Versions that `all` leaves out; empty while unknown. */
  rejected(source: SourceId, name: string): readonly RejectedVersion[];
  /** True if using the package needs no network: its archive or checkout is on disk, or its source is local. */
  isDownloaded(source: SourceId, name: string, version: Version): boolean;
}

/** What a resolution found missing in the table. */
export interface Want {
  readonly source: SourceId;
  readonly name: string;
}

/** True if an answer of `Candidates` says what must be loaded first. */
export function isWant<T extends Want>(answer: readonly Summary[] | T): answer is T {
  return !Array.isArray(answer);
}

/** A want with what it is for: ``package `p v0.1.0 (/p)` `` and the path of dependencies that leads there. */
export interface RequiredWant extends Want {
  readonly requiredBy: string;
}

/**
 * Told what a search asks for while it searches. Files of an index arrive in rounds, and a search that fails
 * before the next round has failed: which requirement it names depends on who asked for what, and when.
 */
export interface Asking {
  /** A question to `source` comes next; `isLocked` if a lock file names the version. */
  approach(source: SourceId, isLocked: boolean): void;
  /** Asks for what the table lacks. True if the search has to wait for it here; else it goes on without. */
  ask(want: RequiredWant, isLocked: boolean): boolean;
  /** Told, at the question, that a `paths` override has other dependencies than what it stands in for. */
  warn?(text: string): void;
}

/** Loads what a table lacks. */
export interface Catalog {
  readonly table: SummaryTable;
  /** After it, `all` answers for every want. Rejects when a source cannot be read. */
  load(wants: readonly Want[]): Promise<void>;
}

/** Which features of a member are asked for. */
export interface RequestedFeatures {
  /** Plain ones first, then `dep/feature`; each by name. */
  readonly features: readonly FeatureValue[];
  readonly all: boolean;
  readonly default: boolean;
}

/** A member as the resolver starts from it. */
export interface Root {
  readonly summary: Summary;
  readonly requested: RequestedFeatures;
}

/** A graph of packages without summaries: what an old lock file, or the resolution before, says. */
export interface Previous {
  readonly packages: readonly PackageId[];
  /** Edges of `packages`, as indexes into it. */
  readonly edges: readonly (readonly number[])[];
  /** Which package replaces another (`[replace]`), as indexes into `packages`. */
  readonly replacements: ReadonlyMap<number, number>;
  readonly unusedPatches: readonly PackageId[];
  /** True for lock files of version 1 and 2, in which `branch=master` and no branch are the same. */
  readonly mergesMasterBranch: boolean;
}

/** A package that the previous resolution holds fast, with those of its dependencies that it does. */
export interface PinnedPackage {
  readonly id: PackageId;
  readonly dependencies: readonly PackageId[];
}

/** What the previous resolution means for the next one. Made by `lockPrevious`. */
export interface Locks {
  /** Pinned packages by `unpinnedKey` of their source and by name. */
  readonly pinned: ReadonlyMap<string, ReadonlyMap<string, readonly PinnedPackage[]>>;
  /** Keys of packages that are tried before all others, and used even if they are yanked or too new. */
  readonly preferred: ReadonlySet<string>;
}

/** The `[patch]` tables after their summaries were selected. Made by `selectPatches`. */
export interface Patches {
  /** By the canonical URL of the patched source. */
  readonly bySource: ReadonlyMap<string, PatchedSource>;
  /** The entries as written: packages that match one are tried before all others. */
  readonly dependencies: readonly Dependency[];
  /**
   * What their own dependencies are held to where they differ from all others: in the graph pass cargo still has
   * them as the lock pass locked them. null: as all others.
   */
  readonly locks: Locks | null;
}

/** What `[patch.URL]` puts in the place of packages of one source. */
export interface PatchedSource {
  readonly summaries: readonly Summary[];
  /** Ids of `summaries`, and the ids that old lock files name them by. */
  readonly available: readonly PackageId[];
}

/** One entry of `[replace]`. Cargo Book: Overriding Dependencies. */
export interface ReplacementRule {
  /** The package id spec as written. */
  readonly spec: string;
  matches(id: PackageId): boolean;
  readonly dependency: Dependency;
}

/**
 * What `update --precise` asks of one registry: every requirement that the version before matches is held to another
 * one, which may be yanked.
 */
export interface PreciseVersion {
  readonly source: SourceId;
  readonly name: string;
  readonly from: Version;
  /** Without build metadata it stands for any. */
  readonly to: Version;
  /** Called when the version is used although it is yanked. */
  readonly onYanked: (version: Version) => void;
}

/** Everything that a resolution depends on, but for the summaries. */
export interface Problem {
  /** The members in discovery order. */
  readonly roots: readonly Root[];
  readonly locks: Locks;
  readonly patches: Patches;
  readonly replacements: readonly ReplacementRule[];
  /** Packages that the `paths` configuration puts in the place of all others of their name. */
  readonly overrides: ReadonlyMap<string, Summary>;
  /** Versions of Rust that candidates should support; empty unless the resolver is MSRV-aware. */
  readonly rustVersions: readonly PartialVersion[];
  /** Which versions are too new to be candidates; null if none are. */
  readonly publishAge: PublishAge | null;
  /** True if only downloaded versions are candidates (all of them where none is). */
  readonly offline: boolean;
  /** At most one for each registry. */
  readonly precise?: readonly PreciseVersion[];
}

/** The answer of a search. One that fails before it knows everything has failed all the same. */
export type Outcome =
  | { readonly kind: 'done'; readonly resolution: Resolution }
  | { readonly kind: 'needs'; readonly wants: readonly RequiredWant[] }
  | { readonly kind: 'failed'; readonly failure: Failure };
