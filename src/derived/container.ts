/** The file form of derived data: named blocks behind a head. Whoever stores it sees to it that it comes back whole. */
import { DamagedRecordError } from './damaged-record-error.ts';

/** Changes whenever the meaning of any block does. */
const FORMAT = 8;

const MAGIC = 'tsreg derived';
const HEAD_BYTES = 24;

/** What a block is made of, in order. */
export type BlockParts = Uint8Array | readonly Uint8Array[];

/** Another one for each call, in whatever process. To make one of contents takes longer, and Node 4 ms to load what does. */
export function newIdentity(): string {
  return `${Date.now()} ${process.pid} ${Math.random()} ${Math.random()}`;
}

/** A file out of blocks. Its identity must be that of no other file. */
export function encodeContainer(
  blocks: ReadonlyMap<string, BlockParts>,
  identity: string = newIdentity(),
): Uint8Array {
  const lengths = new Map(Array.from(blocks, ([name, block]) => [name, lengthOf(block)]));
  const directory = Buffer.from(JSON.stringify([identity, Array.from(lengths)]));
  let size = HEAD_BYTES + roundUp(directory.length);
  // Blocks start at multiples of eight, so that numbers can be read in place.
  for (const length of lengths.values()) size += roundUp(length);
  const file = Buffer.alloc(size);
  file.write(MAGIC, 'latin1');
  file.writeInt32LE(FORMAT, 16);
  file.writeInt32LE(directory.length, 20);
  file.set(directory, HEAD_BYTES);
  let at = HEAD_BYTES + roundUp(directory.length);
  for (const [name, block] of blocks) {
    let partAt = at;
    for (const part of partsOf(block)) {
      file.set(part, partAt);
      partAt += part.length;
    }
    at += roundUp(lengths.get(name) ?? 0);
  }
  return file;
}

function partsOf(block: BlockParts): readonly Uint8Array[] {
  return block instanceof Uint8Array ? [block] : block;
}

function lengthOf(block: BlockParts): number {
  return partsOf(block).reduce((sum, { length }) => sum + length, 0);
}

/** A file whose head is right. */
export class Container {
  /** Another one for each file. */
  readonly identity: string;
  readonly #blocks: ReadonlyMap<string, Uint8Array>;

  private constructor(identity: string, blocks: ReadonlyMap<string, Uint8Array>) {
    this.identity = identity;
    this.#blocks = blocks;
  }

  /** A file as `encodeContainer` made it; null if it is not of this format. */
  static open(file: Uint8Array): Container | null {
    const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
    if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
    if (bytes.readInt32LE(16) !== FORMAT) return null;
    const directoryLength = bytes.readInt32LE(20);
    const directoryPart = bytes.subarray(HEAD_BYTES, HEAD_BYTES + roundUp(directoryLength));
    const head: unknown = JSON.parse(directoryPart.toString('utf8', 0, directoryLength));
    const [identity, directory]: unknown[] = Array.isArray(head) ? head : [];
    if (typeof identity !== 'string' || !Array.isArray(directory)) return null;
    const blocks = new Map<string, Uint8Array>();
    let offset = HEAD_BYTES + directoryPart.length;
    for (const entry of directory) {
      const [name, length]: unknown[] = Array.isArray(entry) ? entry : [];
      if (typeof name !== 'string' || typeof length !== 'number') return null;
      if (!(length >= 0 && offset + length <= bytes.length)) return null;
      // No part of `bytes`, whose class makes every view of a block slower.
      blocks.set(name, new Uint8Array(file.buffer, file.byteOffset + offset, length));
      offset += roundUp(length);
    }
    return offset === bytes.length ? new Container(identity, blocks) : null;
  }

  /** A block, as a view of the file. Throws `DamagedRecordError` if it is not there. */
  block(name: string): Uint8Array {
    const block = this.#blocks.get(name);
    if (block === undefined) throw new DamagedRecordError(name);
    return block;
  }
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
