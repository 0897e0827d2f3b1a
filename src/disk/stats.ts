/** What stands at a path. */
import { existsSync, type Stats, statSync } from 'node:fs';

/** Made once: most runs ask for a thousand states. */
const OR_NOTHING = { throwIfNoEntry: false } as const;

/** The state of what stands at `path`, links followed; null if nothing does, or nothing that may be looked at. */
export function statsOrNull(path: string): Stats | null {
  try {
    return statSync(path, OR_NOTHING) ?? null;
  } catch {
    // A file stands where a folder was, or a folder may not be entered.
    return null;
  }
}

/** True if something stands at `path`, links followed: in half the time of `statsOrNull`, but on Windows. */
export function isThere(path: string): boolean {
  // There a link exists that leads nowhere.
  return existsSync(path) && (process.platform !== 'win32' || statsOrNull(path) !== null);
}
