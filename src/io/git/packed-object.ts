/** Decodes objects in packs. Git's own documentation: gitformat-pack. */
import { damagedObject } from './object-files.ts';
import { OID_BYTES } from './pack-index.ts';

/** The type of an object. */
export type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag';

/** One object, with deltas resolved. */
export interface GitObject {
  readonly kind: ObjectKind;
  readonly data: Buffer;
}

/** Larger objects count as damaged. */
export const MAX_OBJECT_BYTES = 512 * 1024 * 1024;

/** The start of an object in a pack, before its compressed data. */
export type PackedHeader = {
  /** The size of the decompressed data. */
  readonly size: number;
  /** The bytes of the header itself. */
  readonly length: number;
} & (
  | { readonly kind: ObjectKind }
  /** A delta from the object that starts `distance` bytes before it. */
  | { readonly kind: 'ofs-delta'; readonly distance: number }
  /** A delta from the object with an id. */
  | { readonly kind: 'ref-delta'; readonly base: string }
);

/** The kinds by their number. */
const KINDS: readonly (PackedHeader['kind'] | null)[] = [
  null,
  'commit',
  'tree',
  'blob',
  'tag',
  null,
  'ofs-delta',
  'ref-delta',
];

/** Decodes the header at the start of `bytes`; null if it is invalid. Missing bytes count as 0. */
export function decodePackedHeader(bytes: Buffer): PackedHeader | null {
  let position = 0;
  const nextByte = (): number => bytes[position++] ?? 0;
  // Three bits of the kind and four of the size, then seven of the size in each byte. The first bit means: more follow.
  let byte = nextByte();
  const kind = KINDS[(byte >> 4) & 7] ?? null;
  let size = byte & 0x0f;
  for (let scale = 2 ** 4; byte & 0x80; scale *= 2 ** 7) {
    byte = nextByte();
    size += (byte & 0x7f) * scale;
  }
  if (kind === null) return null;
  if (kind === 'ref-delta') {
    const end = position + OID_BYTES;
    return { kind, size, length: end, base: bytes.toString('hex', position, end) };
  }
  if (kind !== 'ofs-delta') return { kind, size, length: position };
  // Seven bits in each byte, the highest first. Each further byte also adds 1, so that each number has only one form.
  byte = nextByte();
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = nextByte();
    distance = (distance + 1) * 2 ** 7 + (byte & 0x7f);
  }
  return distance === 0 ? null : { kind, size, length: position, distance };
}

/** Returns the object that a delta makes from its base. Gitformat-pack: "Deltified representation". */
export function applyDelta(base: GitObject, delta: Buffer): GitObject {
  let position = 0;
  const nextByte = (): number => delta[position++] ?? 0;
  const readSize = (): number => {
    let size = 0;
    for (let scale = 1; ; scale *= 2 ** 7) {
      const byte = nextByte();
      size += (byte & 0x7f) * scale;
      if ((byte & 0x80) === 0) return size;
    }
  };
  /** Reads a number whose bytes of 0 are left out: each bit of `mask` means that the byte is there. */
  const readSparse = (mask: number): number => {
    let number = 0;
    for (let i = 0; mask >> i > 0; i++) if ((mask >> i) & 1) number += nextByte() * 2 ** (8 * i);
    return number;
  };
  const baseSize = readSize();
  const size = readSize();
  // A damaged size may be no number.
  if (baseSize !== base.data.length || !(size <= MAX_OBJECT_BYTES)) throw damagedObject('delta');
  const data = Buffer.allocUnsafe(size);
  let filled = 0;
  while (position < delta.length) {
    const instruction = nextByte();
    if (instruction & 0x80) {
      // Copy from the base.
      const offset = readSparse(instruction & 0x0f);
      // A length of 0 means 64 KiB.
      const length = readSparse((instruction >> 4) & 0x07) || 0x10000;
      if (offset + length > base.data.length || filled + length > size) throw damagedObject('delta');
      filled += base.data.copy(data, filled, offset, offset + length);
    } else {
      // Add the next bytes of the delta; their number is the instruction.
      if (instruction === 0 || position + instruction > delta.length || filled + instruction > size)
        throw damagedObject('delta');
      filled += delta.copy(data, filled, position, position + instruction);
      position += instruction;
    }
  }
  if (filled !== size) throw damagedObject('delta');
  return { kind: base.kind, data };
}
