/** The file form of derived data: named blocks behind a head. Whoever stores it sees to it that it comes back whole. */
import { DamagedRecordError } from './damaged-record-error.ts';
import { KeptText } from './kept-text.ts';
import { type RecordFile, RecordInMemory } from './record-file.ts';

/** Changes whenever the meaning of any block does. */
const FORMAT = 10;

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

/** The identity of a file that `encodeContainer` made. */
export function identityOf(file: Uint8Array): string {
  return Container.open(new RecordInMemory(file))?.identity ?? '';
}

/** A file whose head is right. */
export class Container {
  /** Another one for each file. */
  readonly identity: string;
  readonly #texts: ReadonlyMap<string, KeptText>;

  private constructor(identity: string, texts: ReadonlyMap<string, KeptText>) {
    this.identity = identity;
    this.#texts = texts;
  }

  /** A file as `encodeContainer` made it; null if it is not of this format. Throws `DamagedRecordError`. */
  static open(file: RecordFile): Container | null {
    if (file.length < HEAD_BYTES) return null;
    const head = bufferOf(file.bytes(0, HEAD_BYTES));
    if (head.toString('latin1', 0, MAGIC.length) !== MAGIC || head.readInt32LE(16) !== FORMAT) return null;
    const directoryLength = head.readInt32LE(20);
    let offset = HEAD_BYTES + roundUp(directoryLength);
    if (!(directoryLength >= 0 && offset <= file.length)) return null;
    const [identity, directory] = parseList(file.bytes(HEAD_BYTES, HEAD_BYTES + directoryLength));
    if (typeof identity !== 'string' || !Array.isArray(directory)) return null;
    const texts = new Map<string, KeptText>();
    for (const entry of directory) {
      const [name, length]: unknown[] = Array.isArray(entry) ? entry : [];
      if (typeof name !== 'string' || typeof length !== 'number') return null;
      if (!(length >= 0 && offset + length <= file.length)) return null;
      texts.set(name, new KeptText(file, offset, length));
      offset += roundUp(length);
    }
    return offset === file.length ? new Container(identity, texts) : null;
  }

  /** A block. Throws `DamagedRecordError` if it is not there. */
  block(name: string): Uint8Array {
    return this.text(name).bytes();
  }

  /** A block that need not be in memory. Throws `DamagedRecordError` if it is not there. */
  text(name: string): KeptText {
    const text = this.#texts.get(name);
    if (text === undefined) throw new DamagedRecordError(name);
    return text;
  }
}

/** Empty for what is no list in JSON. */
function parseList(json: Uint8Array): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(bufferOf(json).toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
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
