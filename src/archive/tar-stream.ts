/** A tar archive that is read as its bytes come. */
import { TsregError } from '../errors/error.ts';
import { readTar, type TarEntry } from './read-tar.ts';
import { TAR_BLOCK, tarPadding } from './tar-header.ts';

/** Receives what is in an archive, in order. What it throws ends the reading. */
export interface TarConsumer {
  /** An entry begins; its `data` is empty. */
  begin(entry: TarEntry): void;
  /** A part of the content of that entry. */
  content(part: Buffer): void;
  /** The entry has ended. */
  end(): void;
}

/** Headers of one entry with the long names before it. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** Types of headers that say something of the entry behind them. */
const EXTENSIONS = new Set(['L', 'K', 'x', 'g'].map((type) => type.charCodeAt(0)));

/** Takes the bytes of an archive and hands on what they mean. Throws `archive` for what is no archive. */
export class TarStream {
  readonly #consumer: TarConsumer;
  readonly #maxHeaderBytes: number;
  /** Of the entry that begins, until its header is complete. */
  #header = Buffer.alloc(0);
  /** Bytes of the entry's content that are to come, and of the padding behind it. */
  #rest = 0;
  #padding = 0;
  #isAtEnd = false;

  constructor(consumer: TarConsumer, maxHeaderBytes: number = MAX_HEADER_BYTES) {
    this.#consumer = consumer;
    this.#maxHeaderBytes = maxHeaderBytes;
  }

  /** Gives how many bytes of `chunk` belong to the archive: all, up to the block that ends it. */
  take(chunk: Buffer): number {
    let at = 0;
    while (at < chunk.length && !this.#isAtEnd) {
      const left = chunk.length - at;
      if (this.#rest > 0) {
        const count = Math.min(left, this.#rest);
        this.#consumer.content(chunk.subarray(at, at + count));
        this.#rest -= count;
        if (this.#rest === 0) this.#consumer.end();
        at += count;
      } else if (this.#padding > 0) {
        const count = Math.min(left, this.#padding);
        this.#padding -= count;
        at += count;
      } else {
        const count = Math.min(left, TAR_BLOCK - (this.#header.length % TAR_BLOCK));
        this.#header = Buffer.concat([this.#header, chunk.subarray(at, at + count)]);
        at += count;
        if (this.#header.length % TAR_BLOCK === 0) this.#readHeader();
      }
    }
    return at;
  }

  /** To be called after the last byte: throws for an archive that was cut. */
  finish(): void {
    if (!this.#isAtEnd) throw archiveError('unexpected end of file');
  }

  #readHeader(): void {
    if (this.#header.every((byte) => byte === 0)) {
      this.#isAtEnd = true;
      return;
    }
    const entry = completeEntry(this.#header);
    if (entry === null) {
      if (this.#header.length > this.#maxHeaderBytes) throw archiveError('a path is too long');
      return;
    }
    this.#header = Buffer.alloc(0);
    this.#rest = entry.size;
    this.#padding = tarPadding(entry.size);
    this.#consumer.begin(entry);
    if (entry.size === 0) this.#consumer.end();
  }
}

/** null while there is only what stands before the header of the entry itself. */
function completeEntry(header: Buffer): TarEntry | null {
  try {
    const next = readTar(header).next();
    return next.done === true ? null : next.value;
  } catch (error) {
    // A name that goes on in the next block.
    if (EXTENSIONS.has(header[156] ?? 0)) return null;
    throw error;
  }
}

function archiveError(message: string): TsregError {
  return new TsregError(message, { code: 'archive' });
}
