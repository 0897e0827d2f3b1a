/** Blobs as files in a folder. */
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf } from '../../io/disk/errno.ts';
import { makeFolders } from '../../io/disk/make-folders.ts';
import { syncFolder } from '../../io/disk/sync-folder.ts';
import { CoalescedTask } from '../../io/disk/coalesced-task.ts';
import { TsregError } from '../../core/errors/error.ts';
import { blobKindOf, blobPath, keyOfBlobPath, makeBlobKey, requireChecksum } from './blob-key.ts';
import { readWhole } from './read-whole.ts';
import type { BlobInfo, BlobKind, Blobs, BlobWriter, ByteRange, FinishedBlob } from '../store/blobs.ts';

const INCOMING = 'incoming';
/** The names that `FileWriter.open` gives to unfinished files. */
const INCOMING_NAME = /^[0-9a-f]{32}$/;
/** Flags of `open` that refuse links and do not wait for pipes. Windows has neither flag. */
const READ_FILE = constants.O_RDONLY | (constants.O_NOFOLLOW || 0) | (constants.O_NONBLOCK || 0);
/** Written to check for free space: a whole block, since a full disk may still have room for less. */
const PROBE = new Uint8Array(4096);
const READ_CHUNK_BYTES = 256 * 1024;
/** Older unfinished files were left behind by a crash. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Opens or creates the folder. A blob is at the path that `blobPath` returns. Its key starts with its checksum, so that it
 * can be verified on its own. Unfinished blobs are in `incoming`.
 */
export async function openFolderBlobs(folder: string): Promise<Blobs> {
  const incoming = join(folder, INCOMING);
  makeFolders(incoming);
  // Old files in it are deleted, so it must not be a link. A copied folder may contain one.
  if (!(await lstat(incoming)).isDirectory()) {
    throw new TsregError(`\`${incoming}\` is not a folder`, { code: 'config' });
  }
  await removeAbandoned(incoming);
  const syncs = new FolderSyncs();
  return {
    begin: async (kind = 'crate') => await FileWriter.open(folder, { kind, syncs }),
    async open(key, range) {
      const file = await openOrNull(pathOf(folder, key));
      if (file === null) return null;
      const stats = await file.stat();
      if (!stats.isFile()) {
        await file.close();
        return null;
      }
      const { size } = stats;
      return { size, stream: readPart(file, range ?? { first: 0, last: size - 1 }) };
    },
    stat: async (key) => await infoOf(folder, key),
    async delete(key) {
      await rm(pathOf(folder, key), { force: true });
    },
    list: () => listBlobs(folder),
    async restore(key, content) {
      const path = pathOf(folder, key);
      const writer = await FileWriter.open(folder, { kind: blobKindOf(key), syncs });
      try {
        for await (const chunk of content) await writer.write(chunk);
        requireChecksum(key, writer.checksum());
        await writer.moveTo(path);
      } catch (error) {
        await writer.discard();
        throw error;
      }
    },
    async ping() {
      // A full disk may accept changes of the folder's times, but no archive.
      const writer = await FileWriter.open(folder, { kind: 'crate', syncs });
      try {
        await writer.write(PROBE);
      } finally {
        await writer.discard();
      }
    },
  };
}

function pathOf(folder: string, key: string): string {
  return join(folder, blobPath(key));
}

async function infoOf(folder: string, key: string): Promise<BlobInfo | null> {
  try {
    const stats = await lstat(pathOf(folder, key));
    return stats.isFile() ? { key, size: stats.size, changedAtMs: stats.mtimeMs } : null;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function* listBlobs(folder: string): AsyncGenerator<BlobInfo, void, undefined> {
  for (const first of await subfolders(folder)) {
    for (const second of await subfolders(join(folder, first))) {
      for (const name of (await readdir(join(folder, first, second))).sort()) {
        const key = keyOfBlobPath(name);
        const info = key === null ? null : await infoOf(folder, key);
        if (info !== null) yield info;
      }
    }
  }
}

async function subfolders(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name)).sort();
}

async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    if (!INCOMING_NAME.test(name)) continue;
    const path = join(incoming, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

/**
 * Returns null if the file does not exist. Does not follow links and does not wait for pipes, which a restored backup
 * may contain instead of files.
 */
async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, READ_FILE);
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}

/** Returns a stream that reads on demand. It closes the file at the end, after an error, and if it is cancelled. */
function readPart(file: FileHandle, { first, last }: ByteRange): ReadableStream<Uint8Array> {
  let position = first;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const chunk = Buffer.allocUnsafe(Math.min(READ_CHUNK_BYTES, last + 1 - position));
          const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
          position += bytesRead;
          if (bytesRead > 0) controller.enqueue(chunk.subarray(0, bytesRead));
          else if (position <= last)
            throw new TsregError('a blob was cut off while it was read', { code: 'io' });
          if (position > last) {
            await file.close();
            controller.close();
          }
        } catch (error) {
          await file.close().catch(() => undefined);
          throw error;
        }
      },
      async cancel() {
        await file.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** An unfinished file in `incoming`. */
interface IncomingFile {
  readonly path: string;
  readonly file: FileHandle;
}

/** What a blob will contain, and the syncs of its folders. */
interface WriterOptions {
  readonly kind: BlobKind;
  readonly syncs: FolderSyncs;
}

/** A blob that is being written: first a file in `incoming`, then moved to its path. */
class FileWriter implements BlobWriter {
  readonly #folder: string;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  readonly #kind: BlobKind;
  readonly #syncs: FolderSyncs;
  #size = 0;

  private constructor(folder: string, incoming: IncomingFile, { kind, syncs }: WriterOptions) {
    this.#folder = folder;
    this.#path = incoming.path;
    this.#file = incoming.file;
    this.#kind = kind;
    this.#syncs = syncs;
  }

  static async open(folder: string, options: WriterOptions): Promise<FileWriter> {
    const path = join(folder, INCOMING, randomBytes(16).toString('hex'));
    return new FileWriter(folder, { path, file: await open(path, 'wx+', 0o644) }, options);
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let offset = 0; offset < chunk.length; ) {
      offset += (await this.#file.write(chunk, offset)).bytesWritten;
    }
    this.#hash.update(chunk);
    this.#size += chunk.length;
  }

  read(): Promise<Uint8Array<ArrayBuffer>> {
    return readWhole(this.#file, this.#size);
  }

  async finish(): Promise<FinishedBlob> {
    const checksum = this.checksum();
    const key = makeBlobKey(checksum, this.#kind);
    await this.moveTo(pathOf(this.#folder, key));
    return { key, checksum, size: this.#size };
  }

  /** Returns the hex SHA-256 of the written bytes. Must be called only once, at the end. */
  checksum(): string {
    return this.#hash.digest('hex');
  }

  /** Moves the blob to `path`. It survives a power failure only if the entries of the file and its folders do. */
  async moveTo(path: string): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
    const folder = dirname(path);
    makeFolders(folder);
    await rename(this.#path, path);
    // Sync existing folders too: another writer may have created them without having synced them yet.
    await Promise.all([
      syncFolder(folder),
      ...[dirname(folder), this.#folder].map((parent) => this.#syncs.sync(parent)),
    ]);
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#path, { force: true });
  }
}

/** Coalesced syncs of the folders that many blobs share: the root and its 256 subfolders. */
class FolderSyncs {
  readonly #tasks = new Map<string, CoalescedTask>();

  sync(path: string): Promise<void> {
    let task = this.#tasks.get(path);
    if (task === undefined) {
      task = new CoalescedTask(() => syncFolder(path));
      this.#tasks.set(path, task);
    }
    return task.join();
  }
}
