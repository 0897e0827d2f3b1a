/** Whether a file that is only ever written whole is still the one that was read. */
import { statsOrNull } from './stats.ts';

/** The state of a file at some moment. Times are in milliseconds since 1970. */
export type FileFingerprint = readonly [
  /** Absolute. */
  path: string,
  size: number,
  modifiedMs: number,
  /** When it was last changed in any way, its name and rights included. */
  changedMs: number,
  inode: number,
];

/** The coarsest clock of a common file system. */
export const MTIME_GRANULARITY_MS = 20;

/** The fingerprint of a file, links followed; null if there is none, or none that may be looked at. */
export function takeFingerprint(path: string): FileFingerprint | null {
  const stats = statsOrNull(path);
  return stats === null ? null : [path, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino];
}

/** True if the file is as it was when the fingerprint was taken. */
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
 * True if the file last changed well before a run began. One that changed later is "racy": it may change once more during
 * the run without a new time stamp.
 */
export function isSettled([, , modifiedMs, changedMs]: FileFingerprint, startedMs: number): boolean {
  return Math.max(modifiedMs, changedMs) < startedMs - MTIME_GRANULARITY_MS;
}
