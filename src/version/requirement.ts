/** Version requirements in cargo's dialect of SemVer. */
import type { Numeric } from './version.ts';

/** The operator of one comparator. */
export type Op = 'exact' | 'greater' | 'greater-eq' | 'less' | 'less-eq' | 'tilde' | 'caret' | 'wildcard';

/** One comparator of a requirement; `minor` and `patch` are null where not written. */
export interface Comparator {
  readonly op: Op;
  readonly major: Numeric;
  readonly minor: Numeric | null;
  readonly patch: Numeric | null;
  readonly pre: string;
}

/** A parsed requirement: all comparators must hold. No comparators is `*`. */
export interface VersionReq {
  readonly comparators: readonly Comparator[];
  /** Printed form, as cargo prints it (`^1`, `>=1.0, <2`, `*`). */
  readonly text: string;
}
