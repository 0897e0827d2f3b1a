/**
 * The file form of derived data: named blocks behind a checked head. Whatever is wrong with a file (absent,
 * another format, cut short, damaged) reads as null, and costs time only.
 */
import { crc32 } from 'node:zlib';

/** Changes whenever the meaning of any block does. */
const FORMAT = 2;

const MAGIC = 'tsreg derived';
const HEAD_BYTES = 32;

/** A file out of blocks. */
export function encodeContainer(blocks: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const directory: [string, number, number][] = [];
  for (const [name, bytes] of blocks) directory.push([name, bytes.length, crc32(bytes)]);
  const directoryBytes = Buffer.from(JSON.stringify(directory));
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(MAGIC, 'latin1');
  head.writeUInt32LE(FORMAT, 16);
  head.writeUInt32LE(directoryBytes.length, 20);
  head.writeUInt32LE(crc32(directoryBytes), 24);
  head.writeUInt32LE(crc32(head.subarray(0, 28)), 28);
  // Blocks start at multiples of four, so that integer blocks can be read in place.
  const parts: Uint8Array[] = [head, padded(directoryBytes)];
  for (const bytes of blocks.values()) parts.push(padded(bytes));
  return Buffer.concat(parts);
}

/** The blocks of a file, as views of `file`; null if it is not whole and of this format. */
export function decodeContainer(file: Uint8Array): ReadonlyMap<string, Uint8Array> | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  if (bytes.readUInt32LE(28) !== crc32(bytes.subarray(0, 28)) || bytes.readUInt32LE(16) !== FORMAT)
    return null;
  const directoryLength = bytes.readUInt32LE(20);
  const directoryBytes = bytes.subarray(HEAD_BYTES, HEAD_BYTES + directoryLength);
  if (directoryBytes.length !== directoryLength || bytes.readUInt32LE(24) !== crc32(directoryBytes))
    return null;
  const directory: unknown = JSON.parse(directoryBytes.toString());
  if (!Array.isArray(directory)) return null;
  const blocks = new Map<string, Uint8Array>();
  let offset = HEAD_BYTES + roundUp(directoryLength);
  for (const entry of directory) {
    const [name, length, checksum]: unknown[] = Array.isArray(entry) ? entry : [];
    if (typeof name !== 'string' || typeof length !== 'number' || typeof checksum !== 'number') return null;
    const block = bytes.subarray(offset, offset + length);
    if (block.length !== length || crc32(block) !== checksum) return null;
    blocks.set(name, block);
    offset += roundUp(length);
  }
  // Padding is not covered by a checksum, but the length of the file is known.
  return offset === bytes.length ? blocks : null;
}

function roundUp(length: number): number {
  return (length + 3) & ~3;
}

function padded(bytes: Uint8Array): Uint8Array {
  const padding = roundUp(bytes.length) - bytes.length;
  return padding === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(padding)]);
}
