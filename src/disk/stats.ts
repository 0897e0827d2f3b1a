/** What stands at a path. */
import { existsSync, type Stats, statSync } from 'node:fs';

/** The state of what stands at `path`, links followed; null if nothing does, or nothing that may be looked at. */
export function statsOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // A file stands where a folder was, or a folder may not be entered.
    return null;
  }
}

/** True if something stands at `path`, links followed: in half the time of `statsOrNull`. */
export function isThere(path: string): boolean {
  return existsSync(path);
}
