/** Writing a `.crate`. Cargo Book: cargo-package(1). */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { errnoOf, osError } from '../disk/errno.ts';
import { replaceFile } from '../disk/write-file-atomic.ts';
import { TsregError, withContext } from '../errors/error.ts';
import { describeErrno } from '../errors/os-error-text.ts';
import type { ArchiveFile } from './archive-plan.ts';
import { GzipWriter } from './gzip-writer.ts';
import { TAR_BLOCK, tarHeader, tarPadding } from './tar-header.ts';

/** Where an archive goes. */
export interface CrateDestination {
  /** Absolute path of the `.crate`; its last part is also the name in the gzip header. */
  readonly path: string;
  /** The folder that everything in the archive is in, `name-version`. */
  readonly topFolder: string;
  readonly signal: AbortSignal;
  /** What has to be before anything is written; until then some files are read. If it rejects, nothing is. */
  readonly turn?: Promise<void>;
  /** Called when all files have been read, which may be before `turn` and before everything is written. */
  readonly onRead?: () => void;
}

/** A `.crate` that was written. */
export interface WrittenCrate {
  readonly fileCount: number;
  /** Sum of the files' contents. */
  readonly bytes: number;
  readonly compressedBytes: number;
  /** Of the whole `.crate`, in hexadecimal. */
  readonly sha256: string;
}

/**
 * Packs files in the given order; a file may be made when its turn comes. The archive inflates to what `cargo package`
 * would make of the same files, byte for byte, and stands at its path whole or not at all: after a failure what stood
 * there before still does. So no lock is needed against another writer; of two that write at the same time the last
 * one's archive stays.
 *
 * A file that cannot be read, is no regular file, or has another size at its end than at its start fails with cargo's
 * chain of causes. Files are read in parts, so that size needs no memory.
 */
export async function writeCrate(
  files: Iterable<ArchiveFile> | AsyncIterable<ArchiveFile>,
  { path, topFolder, signal, turn, onRead }: CrateDestination,
): Promise<WrittenCrate> {
  let open: (write: (bytes: Uint8Array) => void) => void = () => {};
  let giveUp: (reason: unknown) => void = () => {};
  const output = new Promise<(bytes: Uint8Array) => void>((resolve, reject) => {
    [open, giveUp] = [resolve, reject];
  });
  const gzip = new GzipWriter(basename(path), output);
  const packing = pack(files, gzip, { topFolder, signal, onRead });
  // Both are taken up in the end.
  for (const promise of [output, packing]) promise.catch(() => {});
  try {
    await turn;
    return await createCrate(path, async (write) => {
      const hash = createHash('sha256');
      let compressedBytes = 0;
      open((bytes) => {
        hash.update(bytes);
        compressedBytes += bytes.length;
        write(bytes);
      });
      const counts = await packing;
      signal.throwIfAborted();
      return { ...counts, compressedBytes, sha256: hash.digest('hex') };
    });
  } catch (error) {
    giveUp(error);
    throw error;
  } finally {
    await Promise.allSettled([output, packing]);
    await gzip.abandon();
  }
}

async function createCrate<T>(
  path: string,
  body: (write: (bytes: Uint8Array) => void) => Promise<T>,
): Promise<T> {
  let isOpen = false;
  const write = async (fd: number): Promise<T> => {
    isOpen = true;
    return await body((bytes) => writeAll(fd, bytes));
  };
  try {
    return await replaceFile(path, write, { durable: false });
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    const cause = osError(error);
    throw isOpen ? cause : new TsregError(`failed to open: ${path}`, { cause });
  }
}

interface Packing extends EntryPlace {
  readonly onRead: (() => void) | undefined;
}

/** Puts everything that an archive holds into `gzip`, to the end. */
async function pack(
  files: Iterable<ArchiveFile> | AsyncIterable<ArchiveFile>,
  gzip: GzipWriter,
  { topFolder, signal, onRead }: Packing,
): Promise<Pick<WrittenCrate, 'fileCount' | 'bytes'>> {
  let fileCount = 0;
  let bytes = 0;
  for await (const file of files) {
    signal.throwIfAborted();
    fileCount += 1;
    bytes += await appendFile(gzip, file, { topFolder, signal });
    if (gzip.isBehind) await gzip.drain();
  }
  gzip.putZeros(2 * TAR_BLOCK);
  gzip.end();
  onRead?.();
  await gzip.finish();
  return { fileCount, bytes };
}

interface EntryPlace {
  readonly topFolder: string;
  readonly signal: AbortSignal;
}

/** Gives the size of the file's content. */
async function appendFile(gzip: GzipWriter, file: ArchiveFile, place: EntryPlace): Promise<number> {
  const path = `${place.topFolder}/${file.path}`;
  const { content } = file;
  if (content.kind === 'copy') return await appendFromDisk(gzip, path, { ...place, source: content.path });
  const { bytes } = content;
  gzip.put(tarHeader({ path, size: bytes.length, isExecutable: false, isGenerated: true }));
  gzip.put(bytes);
  gzip.putZeros(tarPadding(bytes.length));
  return bytes.length;
}

async function appendFromDisk(
  gzip: GzipWriter,
  path: string,
  { source, signal }: { readonly source: string; readonly signal: AbortSignal },
): Promise<number> {
  const fd = failing(`failed to open for archiving: \`${source}\``, () => openSync(source, READ));
  try {
    const stats = failing(`could not learn metadata for: \`${source}\``, () => fstatSync(fd));
    const failure = `could not archive source file \`${source}\``;
    failing(failure, () => checkRegular(stats));
    const { size, mode } = stats;
    gzip.put(tarHeader({ path, size, isExecutable: (mode & 0o100) !== 0, isGenerated: false }));
    let rest = size;
    for (let isEnd = false; !isEnd; ) {
      const { count, isShort } = failing(failure, () => readPart(gzip, fd, rest));
      rest -= count;
      isEnd = rest === 0 && isShort;
      if (!gzip.isBehind) continue;
      await gzip.drain();
      signal.throwIfAborted();
    }
    gzip.putZeros(tarPadding(size));
    return size;
  } finally {
    closeSync(fd);
  }
}

/** Opening a pipe must not wait for somebody who writes into it. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function checkRegular(stats: Stats): void {
  if (stats.isFile()) return;
  throw ioError(stats.isDirectory() ? describeErrno('EISDIR') : 'it is not a regular file');
}

/** Asks for one byte more than should be left: whether the file ends there is then known without another question. */
function readPart(
  gzip: GzipWriter,
  fd: number,
  rest: number,
): { readonly count: number; readonly isShort: boolean } {
  const { free } = gzip;
  const wanted = Math.min(free.length, rest + 1);
  const count = readSync(fd, free, 0, wanted, null);
  if (count > rest || (count === 0 && rest > 0)) throw changedWhileRead();
  gzip.advance(count);
  return { count, isShort: count < wanted };
}

function changedWhileRead(): TsregError {
  return ioError('the file changed while it was read');
}

function ioError(message: string): TsregError {
  return new TsregError(message, { code: 'io' });
}

/** Runs `body`; what the operating system refuses comes back in cargo's words, below `message`. */
function failing<T>(message: string, body: () => T): T {
  return withContext(message, () => {
    try {
      return body();
    } catch (error) {
      throw errnoOf(error) === null ? error : osError(error);
    }
  });
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}
