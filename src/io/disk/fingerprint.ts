/** Checks whether a file that is only replaced as a whole is unchanged. */
import { statsOrNull } from './stats.ts';

/** The state of a file at some time. Times are in milliseconds since 1970. */
export type FileFingerprint = readonly [
  /** Absolute. */
  path: string,
  size: number,
  modifiedMs: number,
  /** Time of the last change of any kind, including its name and permissions. */
  changedMs: number,
  inode: number,
];

/** More than one step of the clock that file times come from: 10 ms on Linux, 15.6 ms on Windows. */
export const MTIME_GRANULARITY_MS = 20;

/** Returns the fingerprint of a file, links followed; null if it does not exist or is inaccessible. */
export function takeFingerprint(path: string): FileFingerprint | null {
  const stats = statsOrNull(path);
  return stats === null ? null : [path, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino];
}

/** Returns true if the file is as it was when the fingerprint was taken. */
export function isUnchanged([path, size, modifiedMs, changedMs, inode]: FileFingerprint): boolean {
  const stats = statsOrNull(path);
  return (
    stats !== null &&
    stats.size === size &&
    stats.mtimeMs === modifiedMs &&
    stats.ctimeMs === changedMs &&
    stats.ino === inode
  );
}

/**
 * Returns true if the file last changed well before a run started. A file that changed later is "racy": it may change
 * again during the run without a new time stamp.
 */
export function isSafeToCache([, , modifiedMs, changedMs]: FileFingerprint, startedMs: number): boolean {
  return Math.max(modifiedMs, changedMs) < startedMs - MTIME_GRANULARITY_MS;
}
