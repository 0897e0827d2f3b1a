/** Paths without links. */
import { realpathSync } from 'node:fs';
import { inputRecorder } from './input-recorder.ts';

/** Returns a path with all links resolved; null if it leads nowhere. */
export function realPath(path: string): string | null {
  let target: string | null = null;
  try {
    target = realpathSync.native(path);
  } catch {
    // Absent, a cycle of links, or a folder without access.
  }
  inputRecorder()?.realPath(path, target);
  return target;
}
