/**
 * The resolver's question and answer. `closure` and `solve` are pure and synchronous: what they need
 * is in the `Problem` and the `SummaryTable`; what is missing they name as `Want`s, which a `Catalog`
 * loads asynchronously. Neither does the other's work.
 */
import type { PackageId } from '../package-id/package-id.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Dependency, Summary } from '../summary/summary.ts';
import type { Version } from '../version/version.ts';

/** Answer of a table that has not been asked to load this yet. */
export const UNKNOWN = Symbol('unknown');
/** Answer for a version that is known not to exist. */
export const ABSENT = Symbol('absent');

/** A version that the index lists and cargo cannot use; only for the text of a failure. */
export interface RejectedVersion {
  readonly version: Version;
  readonly reason:
    | { readonly kind: 'unsupported-index'; readonly indexVersion: number }
    | { readonly kind: 'invalid-entry' };
}

/**
 * Summaries by source and name. Synchronous; grows only, and only through `Catalog.load`. The same
 * package is always the same `Summary` object. Sources are the original ones: replacement is the
 * catalog's business.
 */
export interface SummaryTable {
  /** One version, which may come from the derived file without the index having been read. */
  exact(source: SourceId, name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN;
  /** Every version (any order, yanked ones included); empty if there is no such package. */
  all(source: SourceId, name: string): readonly Summary[] | typeof UNKNOWN;
  /** Versions that `all` leaves out; empty while unknown. */
  rejected(source: SourceId, name: string): readonly RejectedVersion[];
  /** True if using the package needs no network: its archive or checkout is on disk, or its source is local. */
  isDownloaded(summary: Summary): boolean;
}

/** What a resolution found missing in the table. */
export interface Want {
  readonly source: SourceId;
  readonly name: string;
}

/** Loads what a table lacks. */
export interface Catalog {
  readonly table: SummaryTable;
  /** After it, `all` answers for every want. Rejects when a source cannot be read. */
  load(wants: readonly Want[]): Promise<void>;
}

/** Which features of a member are asked for. */
export interface RequestedFeatures {
  readonly features: readonly string[];
  readonly all: boolean;
  readonly default: boolean;
}

/** A member as the resolver starts from it. */
export interface Root {
  readonly summary: Summary;
  readonly requested: RequestedFeatures;
}

/** What an old lock file, or the resolution before, holds fast. */
export interface Previous {
  readonly packages: readonly PackageId[];
  /** Edges of `packages`, as indexes into it. */
  readonly edges: readonly (readonly number[])[];
}

/** A `[patch]` entry after its summary was loaded. */
export interface LoadedPatch {
  /** The source that it patches. */
  readonly target: SourceId;
  readonly dependency: Dependency;
  readonly summary: Summary;
}
