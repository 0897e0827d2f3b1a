/** What stands at a path. */
import { type Stats, statSync } from 'node:fs';

/** The state of what stands at `path`, links followed; null if nothing does, or nothing that may be looked at. */
export function statsOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // A file stands where a folder was, or a folder may not be entered.
    return null;
  }
}
