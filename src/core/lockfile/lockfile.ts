/** `Cargo.lock` as a value. Cargo Book: Cargo.toml vs Cargo.lock. */
import type { PackageId } from '../package-id/package-id.ts';

/** The format of a lock file. Files of formats 1 and 2 do not contain this number. */
export type LockfileVersion = 1 | 2 | 3 | 4;

/** In version 1, the checksum of a package is in `[metadata]`. Its key is this and the reference to the package. */
export const CHECKSUM_KEY = 'checksum ';
/** The value of such a key for a package without checksum. */
export const NO_CHECKSUM = '<none>';

/** One package of a lock file, with its dependencies resolved against the other packages. */
export interface LockedPackage {
  readonly id: PackageId;
  /** Hex SHA-256; null if the file has none. */
  readonly checksum: string | null;
  /** The IDs of its dependencies, each an ID of `packages`. */
  readonly dependencies: readonly PackageId[];
  /** `replace = "..."` of a package that `[replace]` replaces; null for all others. */
  readonly replace: PackageId | null;
}

/** A whole lock file. */
export interface Lockfile {
  readonly version: LockfileVersion;
  /** Sorted by package ID. */
  readonly packages: readonly LockedPackage[];
  /** `[[patch.unused]]`. */
  readonly unusedPatches: readonly PackageId[];
  /** `[metadata]` without the checksums, which are in `packages`. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Keys of packages that the file lists as having no checksum. Only version 1 does this. */
  readonly withoutChecksum: ReadonlySet<string>;
}
