/** The state of a path. */
import { existsSync, lstatSync, type Stats, statSync } from 'node:fs';

/** Created once, as most runs make a thousand calls. */
const OR_NOTHING = { throwIfNoEntry: false } as const;

/** Returns the state of the file at `path`, links followed; null if it does not exist or is inaccessible. */
export function statsOrNull(path: string): Stats | null {
  try {
    return statSync(path, OR_NOTHING) ?? null;
  } catch {
    // A parent is a file, or a folder without access.
    return null;
  }
}

/** Returns true if `path` exists, links followed. Takes half the time of `statsOrNull`, except on Windows. */
export function isThere(path: string): boolean {
  // On Windows, `existsSync` is also true for dangling links.
  return existsSync(path) && (process.platform !== 'win32' || statsOrNull(path) !== null);
}

/** Returns true if `path` exists, or is a dangling link. */
export function isTaken(path: string): boolean {
  try {
    return lstatSync(path, OR_NOTHING) !== undefined;
  } catch {
    return false;
  }
}
