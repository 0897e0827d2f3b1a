/** What tells whether a file that is only ever written whole is still the one that was read. */
import { statSync } from 'node:fs';

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

/** The stamp of a file; null if there is none. */
export function takeStamp(path: string): Stamp | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  return { path, size: stats.size, modifiedMs: stats.mtimeMs, changedMs: stats.ctimeMs, inode: stats.ino };
}

/** True if the file is as it was when the stamp was taken. */
export function stampHolds({ path, size, modifiedMs, changedMs, inode }: Stamp): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return (
    stats !== undefined &&
    stats.size === size &&
    stats.mtimeMs === modifiedMs &&
    stats.ctimeMs === changedMs &&
    stats.ino === inode
  );
}
