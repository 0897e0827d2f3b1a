/**
 * The file form of derived data: named blocks behind a checked head. Whatever is wrong with a file (absent,
 * another format, cut short, damaged) costs time only.
 */
import { createHash } from 'node:crypto';
import { DamagedRecordError } from './damaged-record-error.ts';

/** Changes whenever the meaning of any block does. */
const FORMAT = 5;

const MAGIC = 'tsreg derived';
const HEAD_BYTES = 32;

/**
 * A file out of blocks. Its identity is made of what is in them, unless one is given, which no other file must have.
 */
export function encodeContainer(blocks: ReadonlyMap<string, Uint8Array>, identity?: string): Uint8Array {
  const directory: [string, number, number][] = [];
  // Blocks start at multiples of eight, so that numbers can be read in place.
  const parts: Uint8Array[] = [];
  for (const [name, bytes] of blocks) {
    const part = padded(bytes);
    directory.push([name, bytes.length, checksum(part)]);
    parts.push(part);
  }
  const directoryBytes = Buffer.from(JSON.stringify([identity ?? hashOf(parts), directory]));
  const directoryPart = padded(directoryBytes);
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(MAGIC, 'latin1');
  head.writeInt32LE(FORMAT, 16);
  head.writeInt32LE(directoryBytes.length, 20);
  head.writeInt32LE(checksum(directoryPart), 24);
  head.writeInt32LE(checksum(head.subarray(0, 28)), 28);
  return Buffer.concat([head, directoryPart, ...parts]);
}

function hashOf(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

interface Block {
  /** With the padding behind it. */
  readonly part: Uint8Array;
  readonly length: number;
  readonly checksum: number;
}

/** A file whose head is right. */
export class Container {
  /** Another one for each file with other blocks. */
  readonly identity: string;
  readonly #blocks: ReadonlyMap<string, Block>;

  private constructor(identity: string, blocks: ReadonlyMap<string, Block>) {
    this.identity = identity;
    this.#blocks = blocks;
  }

  /** A file as `encodeContainer` made it; null if it is not whole and of this format, as far as the head tells. */
  static open(file: Uint8Array): Container | null {
    const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
    if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
    if (bytes.readInt32LE(28) !== checksum(bytes.subarray(0, 28)) || bytes.readInt32LE(16) !== FORMAT)
      return null;
    const directoryLength = bytes.readInt32LE(20);
    const directoryPart = bytes.subarray(HEAD_BYTES, HEAD_BYTES + roundUp(directoryLength));
    if (directoryPart.length !== roundUp(directoryLength)) return null;
    if (bytes.readInt32LE(24) !== checksum(directoryPart)) return null;
    const head: unknown = JSON.parse(directoryPart.toString('utf8', 0, directoryLength));
    const [identity, directory]: unknown[] = Array.isArray(head) ? head : [];
    if (typeof identity !== 'string' || !Array.isArray(directory)) return null;
    const blocks = new Map<string, Block>();
    let offset = HEAD_BYTES + directoryPart.length;
    for (const entry of directory) {
      const [name, length, sum]: unknown[] = Array.isArray(entry) ? entry : [];
      if (typeof name !== 'string' || typeof length !== 'number' || typeof sum !== 'number') return null;
      const part = bytes.subarray(offset, offset + roundUp(length));
      blocks.set(name, { part, length, checksum: sum });
      offset += roundUp(length);
    }
    return offset === bytes.length ? new Container(identity, blocks) : null;
  }

  /** A block, as a view of the file. Throws `DamagedRecordError` if it is not there as it was written. */
  block(name: string): Uint8Array {
    const block = this.#blocks.get(name);
    if (block === undefined || checksum(block.part) !== block.checksum) throw new DamagedRecordError(name);
    return block.part.subarray(0, block.length);
  }
}

/**
 * A sum over 32-bit words (`bytes` has a multiple of four) that any change of one word changes. Node's own sums
 * would be no faster: to load the modules that have them takes as long as this takes for some megabytes.
 */
function checksum(bytes: Uint8Array): number {
  const words = wordsOf(bytes);
  let sum = words.length;
  for (let i = 0; i < words.length; i++) sum = (Math.imul(sum, 31) + (words[i] ?? 0)) | 0;
  return sum;
}

/** Integers in place where they are aligned, else a copy. */
export function wordsOf(bytes: Uint8Array): Int32Array {
  return bytes.byteOffset % 4 === 0
    ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
    : new Int32Array(Uint8Array.from(bytes).buffer);
}

/** As `wordsOf`, for 64-bit floating-point numbers. */
export function doublesOf(bytes: Uint8Array): Float64Array {
  return bytes.byteOffset % 8 === 0
    ? new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 3)
    : new Float64Array(Uint8Array.from(bytes).buffer);
}

function roundUp(length: number): number {
  return (length + 7) & ~7;
}

function padded(bytes: Uint8Array): Uint8Array {
  const padding = roundUp(bytes.length) - bytes.length;
  return padding === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(padding)]);
}
