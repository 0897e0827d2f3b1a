/** Versions in cargo's dialect of SemVer. */

/** A version number of up to 64 bits: a `number` where that is exact, else a `bigint` (never a small bigint). */
export type Numeric = number | bigint;

/** A parsed version. `parseVersion` is the one constructor, `text` the one printed form. */
export interface Version {
  readonly major: Numeric;
  readonly minor: Numeric;
  readonly patch: Numeric;
  /** Pre-release without `-`; empty if none. */
  readonly pre: string;
  /** Build metadata without `+`; empty if none. */
  readonly build: string;
  /** `major.minor.patch[-pre][+build]`. */
  readonly text: string;
}
