/** Why there is no resolution, as a value. `explain` words it. */
import type { TsregError } from '../errors/error.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Dependency } from '../summary/summary.ts';
import type { Version } from '../version/version.ts';

/** A version that matches the requirement and may not be used. */
export interface RejectedCandidate {
  readonly version: Version;
  /** What follows `version X`, with its space or apostrophe. */
  readonly why: string;
  /** True if it was published too recently, and for no other reason. */
  readonly isTooNew: boolean;
}

/** A dependency that no package satisfies. */
export interface NoCandidate {
  readonly kind: 'no-candidate';
  readonly dependency: Dependency;
  /** The source that was searched; a git source at its pinned commit. */
  readonly source: SourceId;
  /** The version that the lock file holds the dependency to; null if it does not. */
  readonly locked: Version | null;
  /** ``package `p v0.1.0 (/p)` `` and the path of dependencies that leads there. */
  readonly requiredBy: string;
  /** Oldest first. */
  readonly rejected: readonly RejectedCandidate[];
  /** Versions that are not yanked and do not match the requirement, newest first. */
  readonly others: readonly Version[];
  /** The newest version that is old enough; null if there is none. */
  readonly newestOldEnough: Version | null;
  /** True if there are versions, all of them yanked: then the text names the package itself among those that are near. */
  readonly isYanked: boolean;
  /** True if the text depends on names near the one that was searched: there is nothing else to tell. */
  readonly wantsSimilarNames: boolean;
}

/** A failure whose text needs nothing more. */
export interface WordedFailure {
  readonly kind: 'worded';
  readonly error: TsregError;
}

/** Why a problem has no solution. */
export type Failure = NoCandidate | WordedFailure;
