import type { PartialVersion } from '../version/partial-version.ts';
import type { LockfileVersion } from './lockfile.ts';

/** Returns the format of new lock files: the newest that the lowest `rust-version` of the members can read. */
export function defaultLockfileVersion(lowest: PartialVersion | null): LockfileVersion {
  if (lowest === null || isAtLeast(lowest, 83)) return 4;
  if (isAtLeast(lowest, 53)) return 3;
  return isAtLeast(lowest, 41) ? 2 : 1;
}

/** Returns true if `version` is 1.`minor` or later. A version without a minor number is earlier than any with one. */
function isAtLeast(version: PartialVersion, minor: number): boolean {
  if (version.major !== 1) return version.major > 1;
  return version.minor !== null && version.minor >= minor;
}
