/** Whether a file that is only ever written whole is still the one that was read. */
import { statsOrNull } from './stats.ts';

/** The state of a file at some moment. Times are in milliseconds since 1970. */
export interface FileFingerprint {
  /** Absolute. */
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
  /** When it was last changed in any way, its name and rights included. */
  readonly changedMs: number;
  readonly inode: number;
}

/**
 * The coarsest clock of a common file system. A file that changed less than this before it was read may change once more
 * without a new time stamp: it is "racy".
 */
export const MTIME_GRANULARITY_MS = 20;

/** The fingerprint of a file, links followed; null if there is none, or none that may be looked at. */
export function takeFingerprint(path: string): FileFingerprint | null {
  const stats = statsOrNull(path);
  if (stats === null) return null;
  return { path, size: stats.size, modifiedMs: stats.mtimeMs, changedMs: stats.ctimeMs, inode: stats.ino };
}

/** True if the file is as it was when the fingerprint was taken. */
export function isUnchanged({ path, size, modifiedMs, changedMs, inode }: FileFingerprint): boolean {
  const stats = statsOrNull(path);
  return (
    stats !== null &&
    stats.size === size &&
    stats.mtimeMs === modifiedMs &&
    stats.ctimeMs === changedMs &&
    stats.ino === inode
  );
}
