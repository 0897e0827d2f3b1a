/** `Cargo.lock` as a value. Cargo Book: Cargo.toml vs Cargo.lock. */
import type { PackageId } from '../package-id/package-id.ts';

/** Format of a lock file; 1 and 2 carry no number in the file. */
export type LockfileVersion = 1 | 2 | 3 | 4;

/** One package of a lock file whose dependencies have been resolved against the others. */
export interface LockedPackage {
  readonly id: PackageId;
  readonly checksum: string | null;
  /** Ids of the packages it depends on. */
  readonly dependencies: readonly PackageId[];
  /** `replace = "..."` of a package that `[replace]` replaces; null for all others. */
  readonly replace: PackageId | null;
}
