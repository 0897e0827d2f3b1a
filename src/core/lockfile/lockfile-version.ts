/** The version of new lock files. */
import type { PartialVersion } from '../version/partial-version.ts';
import type { LockfileVersion } from './lockfile.ts';

// The releases 1.N of Rust whose cargo writes each version, as in cargo's `ResolveVersion::with_rust_version`.
const RUST_MINOR_FOR_VERSION_2 = 41;
const RUST_MINOR_FOR_VERSION_3 = 53;
const RUST_MINOR_FOR_VERSION_4 = 83;

/** Returns the format of new lock files: the newest that the lowest `rust-version` of the members can read. */
export function defaultLockfileVersion(lowest: PartialVersion | null): LockfileVersion {
  if (lowest === null || isAtLeast(lowest, RUST_MINOR_FOR_VERSION_4)) return 4;
  if (isAtLeast(lowest, RUST_MINOR_FOR_VERSION_3)) return 3;
  return isAtLeast(lowest, RUST_MINOR_FOR_VERSION_2) ? 2 : 1;
}

/** Returns true if `version` is 1.`minor` or later. A version without a minor number is earlier than any with one. */
function isAtLeast(version: PartialVersion, minor: number): boolean {
  if (version.major !== 1) return version.major > 1;
  return version.minor !== null && version.minor >= minor;
}
