/** Stamps as records. */
import type { Stamp } from '../disk/stamp.ts';
import type { RecordReader, RecordWriter } from './record.ts';

/** Writes a stamp, or null. */
export function writeStamp(stamp: Stamp | null, out: RecordWriter): void {
  out.string(stamp?.path ?? null);
  if (stamp === null) return;
  for (const value of [stamp.size, stamp.modifiedMs, stamp.changedMs, stamp.inode]) out.double(value);
}

/** Reads what `writeStamp` wrote. */
export function readStamp(input: RecordReader): Stamp | null {
  const path = input.optionalString();
  if (path === null) return null;
  const { doubles } = input;
  const at = input.skipDoubles(4);
  return {
    path,
    size: doubles[at] ?? Number.NaN,
    modifiedMs: doubles[at + 1] ?? Number.NaN,
    changedMs: doubles[at + 2] ?? Number.NaN,
    inode: doubles[at + 3] ?? Number.NaN,
  };
}
