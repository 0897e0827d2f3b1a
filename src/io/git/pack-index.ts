/** The indexes of packs. Git's own documentation: gitformat-pack, "Version 2 pack-*.idx files". */
import { closeSync, fstatSync } from 'node:fs';
import { damagedObject, listIfThere, openIfThere, readRange } from './object-files.ts';

/** The bytes of an id. */
export const OID_BYTES = 20;

// The layout: magic number and version, fan-out table, ids, CRC-32 of each object, offsets, large offsets, and as the
// trailer the checksums of the pack and of the index.
const MAGIC = 0xff744f63;
const VERSION = 2;
const FANOUT_START = 8;
const FANOUT_ENTRIES = 256;
const FANOUT_END = FANOUT_START + FANOUT_ENTRIES * 4;
const CHECKSUM_BYTES = 4;
/** An offset from this value on is an index into the table of large offsets. */
const FIRST_LARGE_OFFSET = 0x80000000;

/** An open index of a pack. */
interface OpenIndex {
  readonly fd: number;
  readonly pack: Pack;
}

/** A pack, and the fan-out table of its index. */
export interface Pack {
  /** The path without `.pack` or `.idx`. */
  readonly path: string;
  /** 256 running totals: the number of ids whose first byte is at most the index. */
  readonly fanout: Uint32Array;
  /** Number of objects. */
  readonly total: number;
}

/** Returns the packs in an `objects` folder. Leaves out index versions that git has not written since 1.6. */
export function listPacks(objects: string): readonly Pack[] {
  return listIfThere(`${objects}/pack`).flatMap((name) => {
    if (!name.startsWith('pack-') || !name.endsWith('.idx')) return [];
    return openPack(`${objects}/pack/${name.slice(0, -'.idx'.length)}`) ?? [];
  });
}

/** Returns null for an unknown version, and if git has removed the index since it was listed. */
function openPack(path: string): Pack | null {
  const fd = openIfThere(`${path}.idx`);
  if (fd === null) return null;
  try {
    const head = readRange(fd, 0, FANOUT_END);
    if (head.length < FANOUT_END || head.readUInt32BE(0) !== MAGIC || head.readUInt32BE(4) !== VERSION)
      return null;
    const fanout = new Uint32Array(FANOUT_ENTRIES);
    for (let i = 0; i < FANOUT_ENTRIES; i++) fanout[i] = head.readUInt32BE(FANOUT_START + i * 4);
    return { path, fanout, total: head.readUInt32BE(FANOUT_END - 4) };
  } finally {
    closeSync(fd);
  }
}

/**
 * Calls `visit` for each id with the prefix (at least two hex digits, lower-case) until it returns true. Returns the
 * offset of that object in the pack, or null. Also returns null if git has removed the pack since it was listed. Throws
 * `git` if the index is cut off or damaged.
 */
export function searchPack(pack: Pack, prefix: string, visit: (oid: string) => boolean): number | null {
  const firstByte = Number.parseInt(prefix.slice(0, 2), 16);
  // `fanout[-1]` and `fanout[NaN]` are undefined. An empty id, which a damaged object may contain, gives NaN: no range.
  const low = pack.fanout[firstByte - 1] ?? 0;
  const high = pack.fanout[firstByte] ?? 0;
  if (low >= high) return null;
  const fd = openIfThere(`${pack.path}.idx`);
  if (fd === null) return null;
  try {
    const index = { fd, pack };
    const ids = readFully(index, FANOUT_END + low * OID_BYTES, (high - low) * OID_BYTES);
    for (let i = firstAtLeast(ids, prefix); i < high - low; i++) {
      const oid = ids.toString('hex', i * OID_BYTES, (i + 1) * OID_BYTES);
      if (!oid.startsWith(prefix)) return null;
      if (visit(oid)) return readOffset(index, low + i);
    }
    return null;
  } finally {
    closeSync(fd);
  }
}

/** Returns the position of the first of the sorted `ids` that is not less than `prefix`. */
function firstAtLeast(ids: Buffer, prefix: string): number {
  const padded = Buffer.from(prefix.padEnd(OID_BYTES * 2, '0'), 'hex');
  let from = 0;
  let to = ids.length / OID_BYTES;
  while (from < to) {
    const middle = (from + to) >> 1;
    const start = middle * OID_BYTES;
    if (ids.compare(padded, 0, OID_BYTES, start, start + OID_BYTES) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns the offset in the pack of the object at `position` in its index. */
function readOffset(index: OpenIndex, position: number): number {
  const { total } = index.pack;
  const offsets = FANOUT_END + total * (OID_BYTES + CHECKSUM_BYTES);
  const offset = readFully(index, offsets + position * 4, 4).readUInt32BE(0);
  if (offset < FIRST_LARGE_OFFSET) return offset;
  const large = offsets + total * 4 + (offset - FIRST_LARGE_OFFSET) * 8;
  const largeOffset = Number(readFully(index, large, 8).readBigUInt64BE(0));
  if (!Number.isSafeInteger(largeOffset)) throw damagedObject(`${index.pack.path}.idx`);
  return largeOffset;
}

/** Reads `length` bytes from `position`. Throws `git` if the file ends before. */
function readFully({ fd, pack }: OpenIndex, position: number, length: number): Buffer {
  // Checked first: memory for the length in a damaged index may not exist.
  if (position + length > fstatSync(fd).size) throw damagedObject(`${pack.path}.idx`);
  return readRange(fd, position, length);
}
