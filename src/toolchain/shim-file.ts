/** The place of a script that stands in for cargo. */
import { lstatSync, rmSync } from 'node:fs';
import { isShim } from './next-cargo.ts';

/** What stands at a path; a link is something else, wherever it leads. */
export function whatStandsAt(file: string): 'nothing' | 'shim' | 'folder' | 'other' {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return 'nothing';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() && isShim(file) ? 'shim' : 'other';
}

/** Takes away what would not be replaced by writing there: links are followed, and modes kept. */
export function makeWay(file: string): void {
  if (whatStandsAt(file) === 'other') rmSync(file);
}
