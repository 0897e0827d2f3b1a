/** The reason for a missing resolution, as a value. `explain` turns it into a message. */
import type { TsregError } from '../errors/error.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Dependency } from '../summary/summary.ts';
import type { Version } from '../version/version.ts';

/** A version that matches the requirement but may not be used. */
export interface RejectedCandidate {
  readonly version: Version;
  /** The text after `version X`, starting with a space or an apostrophe. */
  readonly why: string;
  /** True if the only reason is that it was published too recently. */
  readonly isTooNew: boolean;
}

/** A dependency that no package satisfies. */
export interface NoCandidate {
  readonly kind: 'no-candidate';
  readonly dependency: Dependency;
  /** The source that was searched; a git source at its pinned commit. */
  readonly source: SourceId;
  /** The version that the lock file requires; null if it does not. */
  readonly locked: Version | null;
  /** ``package `p v0.1.0 (/p)` `` and the path of dependencies that leads there. */
  readonly requiredBy: string;
  /** Oldest first, the order in which the message lists them. */
  readonly rejected: readonly RejectedCandidate[];
  /** Versions that are not yanked and do not match the requirement, newest first. */
  readonly others: readonly Version[];
  /** The newest version that is old enough; null if there is none. */
  readonly newestOldEnough: Version | null;
  /**
   * True if all existing versions are yanked. The message then suggests the package itself too. Both of these flags are
   * true only if `rejected` and `others` are empty.
   */
  readonly isYanked: boolean;
  /** True if the message should suggest similar names, as there is nothing else to report. */
  readonly wantsSimilarNames: boolean;
}

/** A failure with its complete message. */
export interface WordedFailure {
  readonly kind: 'worded';
  readonly error: TsregError;
}

/** The reason why a problem has no solution. */
export type Failure = NoCandidate | WordedFailure;
