/** The file of a shim for cargo. */
import { lstatSync, rmSync } from 'node:fs';
import { isShim } from './next-cargo.ts';

/** Returns the kind of the file at a path. A link is `other`, wherever it leads. */
export function classifyPath(file: string): 'nothing' | 'shim' | 'folder' | 'other' {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return 'nothing';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() && isShim(file) ? 'shim' : 'other';
}

/**
 * Removes the file at a path if it is neither a shim nor a folder. Writing would not replace it: it follows links and
 * keeps modes.
 */
export function removeIfOther(file: string): void {
  if (classifyPath(file) === 'other') rmSync(file);
}
