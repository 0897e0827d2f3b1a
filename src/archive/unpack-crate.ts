/** Taking a `.crate` apart where it is to be built. Cargo Book: cargo-package(1). */
import {
  closeSync,
  createReadStream,
  fchmodSync,
  mkdirSync,
  openSync,
  type ReadStream,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { errnoOf, osError } from '../disk/errno.ts';
import { TsregError, withContextAsync } from '../errors/error.ts';
import type { TarEntry } from './read-tar.ts';
import { type TarConsumer, TarStream } from './tar-stream.ts';

/** Where an archive is taken apart. */
export interface UnpackDestination {
  /** Absolute folder in which the archive's top folder appears; made if it is not there. */
  readonly parent: string;
  /** The one folder that everything in the archive is in. What stands there before is removed. */
  readonly topFolder: string;
  readonly signal: AbortSignal;
}

const CHUNK = 256 * 1024;

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
      const writer = new EntryWriter(destination);
      try {
        const tar = new TarStream(writer);
        for await (const chunk of inflated(path, destination.signal)) tar.take(chunk);
        tar.finish();
      } finally {
        writer.end();
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
    gunzip.destroy();
    await closed(source);
  }
}

/** Windows keeps what is open, and the folders that it is in. */
async function closed(source: ReadStream): Promise<void> {
  if (source.closed) return;
  await new Promise<void>((resolve) => {
    source.once('close', resolve).destroy();
  });
}

/** Writes entries as their bytes come. */
class EntryWriter implements TarConsumer {
  readonly #destination: UnpackDestination;
  readonly #folders = new Set<string>();
  #fd: number | null = null;

  constructor(destination: UnpackDestination) {
    this.#destination = destination;
  }

  begin(entry: TarEntry): void {
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
  }

  content(part: Buffer): void {
    if (this.#fd === null) throw archiveError('unexpected end of file');
    for (let at = 0; at < part.length; ) at += writeSync(this.#fd, part, at);
  }

  /** Fine where nothing is open. */
  end(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #makeFolder(path: string): void {
    if (this.#folders.has(path)) return;
    mkdirSync(path, { recursive: true });
    this.#folders.add(path);
  }
}

function archiveError(message: string): TsregError {
  return new TsregError(message, { code: 'archive' });
}
