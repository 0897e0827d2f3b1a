/** `Cargo.lock` as a value. Cargo Book: Cargo.toml vs Cargo.lock. */
import type { PackageId } from '../package-id/package-id.ts';

/** Format of a lock file; 1 and 2 carry no number in the file. */
export type LockfileVersion = 1 | 2 | 3 | 4;

/** One package of a lock file whose dependencies have been resolved against the others. */
export interface LockedPackage {
  readonly id: PackageId;
  /** Hex SHA-256; null if the file has none. */
  readonly checksum: string | null;
  /** Ids of the packages it depends on, each an id of `packages`. */
  readonly dependencies: readonly PackageId[];
  /** `replace = "..."` of a package that `[replace]` replaces; null for all others. */
  readonly replace: PackageId | null;
}

/** A whole lock file. */
export interface Lockfile {
  readonly version: LockfileVersion;
  /** Sorted by package id. */
  readonly packages: readonly LockedPackage[];
  /** `[[patch.unused]]`. */
  readonly unusedPatches: readonly PackageId[];
  /** `[metadata]` without its checksums, which are those of `packages`. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Keys of packages of which the file says that they have no checksum, as only version 1 does. */
  readonly withoutChecksum: ReadonlySet<string>;
}
