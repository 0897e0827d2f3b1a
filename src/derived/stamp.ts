/** What tells whether a file that is only ever written whole is still the one that was read. */
import { type Stats, statSync } from 'node:fs';
import type { RecordReader, RecordWriter } from './record.ts';

/** A file and how it was when it was read. */
export interface Stamp {
  /** Absolute. */
  readonly path: string;
  /** Size, times and inode as text. */
  readonly state: string;
}

/** A stamp with the time at which the file was last changed in any way. */
export interface FreshStamp extends Stamp {
  readonly changedMs: number;
}

/** The stamp of a file; null if there is none. */
export function takeStamp(path: string): FreshStamp | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : { path, state: stateText(stats), changedMs: stats.ctimeMs };
}

/** True if the file is as it was when the stamp was taken. */
export function stampHolds({ path, state }: Stamp): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stateText(stats) === state;
}

function stateText({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}

/** Writes a stamp, or null, into a record. */
export function writeStamp(stamp: Stamp | null, out: RecordWriter): void {
  out.string(stamp?.path ?? null);
  if (stamp !== null) out.string(stamp.state);
}

/** Reads what `writeStamp` wrote. */
export function readStamp(input: RecordReader): Stamp | null {
  const path = input.optionalString();
  return path === null ? null : { path, state: input.string() };
}
