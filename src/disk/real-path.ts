import { realpathSync } from 'node:fs';
import { inputRecorder } from './input-recorder.ts';

/** Where a path leads once all its links are followed; null where it leads nowhere. */
export function realPath(path: string): string | null {
  let target: string | null = null;
  try {
    target = realpathSync.native(path);
  } catch {
    // Absent, a circle of links, or a folder that may not be entered.
  }
  inputRecorder()?.realPath(path, target);
  return target;
}
