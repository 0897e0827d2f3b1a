/** What tells whether a file that is only ever written whole is still the one that was read. */
import { statsOrNull } from './stats.ts';

/** A file and how it was at some moment. Times are in milliseconds. */
export interface Stamp {
  /** Absolute. */
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
  /** When it was last changed in any way, its name and rights included. */
  readonly changedMs: number;
  readonly inode: number;
}

/**
 * File systems count time in ticks of some milliseconds: of a file that was changed less than this before its stamp was
 * taken, a later state might have the same stamp.
 */
export const SETTLING_MS = 20;

/** The stamp of a file; null if there is none, or none that may be looked at. */
export function takeStamp(path: string): Stamp | null {
  const stats = statsOrNull(path);
  if (stats === null) return null;
  return { path, size: stats.size, modifiedMs: stats.mtimeMs, changedMs: stats.ctimeMs, inode: stats.ino };
}

/** True if both are of one state of one file. */
export function isSameStamp(one: Stamp, other: Stamp): boolean {
  return (
    one.path === other.path &&
    one.size === other.size &&
    one.modifiedMs === other.modifiedMs &&
    one.changedMs === other.changedMs &&
    one.inode === other.inode
  );
}

/** True if the file is as it was when the stamp was taken. */
export function stampHolds({ path, size, modifiedMs, changedMs, inode }: Stamp): boolean {
  const stats = statsOrNull(path);
  return (
    stats !== null &&
    stats.size === size &&
    stats.mtimeMs === modifiedMs &&
    stats.ctimeMs === changedMs &&
    stats.ino === inode
  );
}
