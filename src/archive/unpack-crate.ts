/** Taking a `.crate` apart where it is to be built. Cargo Book: cargo-package(1). */
import { closeSync, createReadStream, fchmodSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { errnoOf, osError } from '../disk/errno.ts';
import { TsregError, withContextAsync } from '../errors/error.ts';
import { readTar, type TarEntry } from './read-tar.ts';
import { TAR_BLOCK, tarPadding } from './tar-header.ts';

/** Where an archive is taken apart. */
export interface UnpackDestination {
  /** Absolute folder in which the archive's top folder appears; made if it is not there. */
  readonly parent: string;
  /** The one folder that everything in the archive is in. What stands there before is removed. */
  readonly topFolder: string;
  readonly signal: AbortSignal;
}

const CHUNK = 256 * 1024;
/** Headers of one entry with the long name before it. */
const MAX_HEADER_BYTES = 1024 * 1024;

/**
 * Unpacks a `.crate` that `writeCrate` made, in parts, so that size needs no memory, and gives the folder. Files have
 * the modes of the archive and the time of now: a build must see that they are new. Refuses whatever `writeCrate` does
 * not make.
 */
export async function unpackCrate(path: string, destination: UnpackDestination): Promise<string> {
  const root = join(destination.parent, destination.topFolder);
  return await withContextAsync(`failed to unpack \`${path}\``, async () => {
    try {
      rmSync(root, { recursive: true, force: true });
      const unpacker = new Unpacker(destination);
      try {
        for await (const chunk of inflated(path, destination.signal)) unpacker.take(chunk);
        unpacker.end();
      } finally {
        unpacker.close();
      }
      return root;
    } catch (error) {
      throw errnoOf(error) === null ? error : osError(error);
    }
  });
}

async function* inflated(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const source = createReadStream(path, { highWaterMark: CHUNK });
  const gunzip = createGunzip({ chunkSize: CHUNK });
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    for await (const chunk of gunzip) {
      signal.throwIfAborted();
      if (Buffer.isBuffer(chunk)) yield chunk;
    }
  } catch (error) {
    throw errnoOf(error)?.startsWith('Z_') === true ? archiveError('corrupt deflate stream') : error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** Writes entries as their bytes come. */
class Unpacker {
  readonly #destination: UnpackDestination;
  readonly #folders = new Set<string>();
  /** Of the entry that begins, until its header is complete. */
  #header = Buffer.alloc(0);
  #fd: number | null = null;
  /** Bytes of the open file that are to come, and of the padding behind it. */
  #rest = 0;
  #padding = 0;
  #isAtEnd = false;

  constructor(destination: UnpackDestination) {
    this.#destination = destination;
  }

  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#isAtEnd; ) {
      const left = chunk.length - at;
      if (this.#rest > 0) {
        const count = Math.min(left, this.#rest);
        this.#writeContent(chunk.subarray(at, at + count));
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
  }

  /** To be called after the last byte. */
  end(): void {
    if (!this.#isAtEnd) throw archiveError('unexpected end of file');
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #readHeader(): void {
    if (this.#header.every((byte) => byte === 0)) {
      this.#isAtEnd = true;
      return;
    }
    const entry = completeEntry(this.#header);
    if (entry === null) {
      if (this.#header.length > MAX_HEADER_BYTES) throw archiveError('a path is too long');
      return;
    }
    this.#header = Buffer.alloc(0);
    this.#open(entry);
  }

  #open(entry: TarEntry): void {
    const { parent, topFolder } = this.#destination;
    const parts = entry.path.split('/');
    const isInside = parts.length > 1 && parts[0] === topFolder;
    if (entry.kind !== 'file' || !isInside || parts.some((part) => part === '..' || part === '')) {
      throw archiveError(`\`${entry.path}\` is not a file of the package`);
    }
    const path = join(parent, ...parts);
    this.#makeFolder(dirname(path));
    this.#fd = openSync(path, 'w');
    fchmodSync(this.#fd, entry.mode & 0o777);
    this.#rest = entry.size;
    this.#padding = tarPadding(entry.size);
    if (entry.size === 0) this.close();
  }

  #writeContent(part: Buffer): void {
    if (this.#fd === null) throw archiveError('unexpected end of file');
    for (let at = 0; at < part.length; ) at += writeSync(this.#fd, part, at);
    this.#rest -= part.length;
    if (this.#rest === 0) this.close();
  }

  #makeFolder(path: string): void {
    if (this.#folders.has(path)) return;
    mkdirSync(path, { recursive: true });
    this.#folders.add(path);
  }
}

/** null while there is only a part of the long name that stands before the header. */
function completeEntry(header: Buffer): TarEntry | null {
  try {
    const next = readTar(header).next();
    return next.done === true ? null : next.value;
  } catch (error) {
    // A name that goes on in the next block.
    if (header[156] === 'L'.charCodeAt(0) && header.length <= MAX_HEADER_BYTES) return null;
    throw error;
  }
}

function archiveError(message: string): TsregError {
  return new TsregError(message, { code: 'archive' });
}
