/** Writes a `.crate`. Cargo Book: cargo-package(1). */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { errnoOf, osError } from '../disk/errno.ts';
import { replaceFile } from '../disk/write-file-atomic.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { describeErrno } from '../../core/errors/os-error-text.ts';
import type { ArchiveFile } from './archive-plan.ts';
import { GzipWriter } from './gzip-writer.ts';
import { BLOCK } from './tar-fields.ts';
import { tarHeader, tarPadding } from './tar-header.ts';

/** The destination of an archive. */
export interface CrateDestination {
  /** Absolute path of the `.crate`. Its last part is also the name in the gzip header. */
  readonly path: string;
  /** The folder that contains everything in the archive: `name-version`. */
  readonly topFolder: string;
  readonly signal: AbortSignal;
  /**
   * Resolves when writing may begin. `writeCrate` reads some files before. If it rejects, `writeCrate` writes nothing.
   */
  readonly turn?: Promise<void>;
  /** Called after the last file was read, possibly before `turn` and before everything is written. */
  readonly onRead?: () => void;
}

/** A `.crate` that was written. */
export interface WrittenCrate {
  readonly fileCount: number;
  /** Total size of the files' contents. */
  readonly bytes: number;
  readonly compressedBytes: number;
  /** Of the whole `.crate`, in hexadecimal. */
  readonly sha256: string;
}

/**
 * Packs files in the given order; a file may be generated when its turn comes. The archive decompresses to exactly the
 * bytes that `cargo package` would produce. It replaces the file at its path atomically; after a failure the old one
 * stays. So writers need no lock: the last of several wins.
 *
 * Throws with cargo's chain of causes if a file cannot be read, is not a regular file, or changes its size meanwhile.
 * Files are read in parts, so large ones need no memory.
 */
export async function writeCrate(
  files: Iterable<ArchiveFile> | AsyncIterable<ArchiveFile>,
  { path, topFolder, signal, turn, onRead }: CrateDestination,
): Promise<WrittenCrate> {
  // Packing begins before the file is open. It gets the function that writes as soon as there is one.
  let resolveOutput: (write: Write) => void = () => {};
  let rejectOutput: (reason: unknown) => void = () => {};
  const output = new Promise<Write>((resolve, reject) => {
    [resolveOutput, rejectOutput] = [resolve, reject];
  });
  const gzip = new GzipWriter(basename(path), output);
  const packing = pack(files, gzip, { topFolder, signal, onRead });
  // Both are awaited later: until then, Node would report a rejection as unhandled.
  for (const promise of [output, packing]) promise.catch(() => {});
  try {
    await turn;
    return await createCrate(path, async (write) => {
      const hash = createHash('sha256');
      let compressedBytes = 0;
      resolveOutput((bytes) => {
        hash.update(bytes);
        compressedBytes += bytes.length;
        write(bytes);
      });
      const counts = await packing;
      signal.throwIfAborted();
      return { ...counts, compressedBytes, sha256: hash.digest('hex') };
    });
  } catch (error) {
    rejectOutput(error);
    throw error;
  } finally {
    await Promise.allSettled([output, packing]);
    await gzip.abandon();
  }
}

/** Writes bytes at the end of the file. */
type Write = (bytes: Uint8Array) => void;

/** Replaces the file at `path` by the bytes that `body` writes. Throws in cargo's words. */
async function createCrate<T>(path: string, body: (write: Write) => Promise<T>): Promise<T> {
  let isOpen = false;
  const writeTo = async (fd: number): Promise<T> => {
    isOpen = true;
    return await body((bytes) => writeAll(fd, bytes));
  };
  try {
    return await replaceFile(path, writeTo, { durable: false });
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    const cause = osError(error);
    throw isOpen ? cause : new TsregError(`failed to open: ${path}`, { cause });
  }
}

interface PackOptions extends AppendOptions {
  readonly onRead: (() => void) | undefined;
}

/** Appends all files, and waits until everything is compressed and written. */
async function pack(
  files: Iterable<ArchiveFile> | AsyncIterable<ArchiveFile>,
  gzip: GzipWriter,
  { topFolder, signal, onRead }: PackOptions,
): Promise<Pick<WrittenCrate, 'fileCount' | 'bytes'>> {
  let fileCount = 0;
  let bytes = 0;
  for await (const file of files) {
    signal.throwIfAborted();
    fileCount += 1;
    bytes += await appendFile(gzip, file, { topFolder, signal });
    if (gzip.isBehind) await gzip.drain();
  }
  // Two empty blocks end a tar archive.
  gzip.putZeros(2 * BLOCK);
  gzip.end();
  onRead?.();
  await gzip.finish();
  return { fileCount, bytes };
}

interface AppendOptions {
  readonly topFolder: string;
  readonly signal: AbortSignal;
}

/** Appends a file, and returns the size of its content. */
async function appendFile(
  gzip: GzipWriter,
  file: ArchiveFile,
  { topFolder, signal }: AppendOptions,
): Promise<number> {
  const path = `${topFolder}/${file.path}`;
  const { content } = file;
  if (content.kind === 'copy') return await appendFromDisk(gzip, path, { signal, source: content.path });
  const { bytes } = content;
  gzip.put(tarHeader({ path, size: bytes.length, isExecutable: false, isGenerated: true }));
  gzip.put(bytes);
  gzip.putZeros(tarPadding(bytes.length));
  return bytes.length;
}

/** Appends the file at `source` as `path`, and returns its size. Throws if it is not regular or changes its size. */
async function appendFromDisk(
  gzip: GzipWriter,
  path: string,
  { source, signal }: { readonly source: string; readonly signal: AbortSignal },
): Promise<number> {
  const fd = withOsErrorContext(`failed to open for archiving: \`${source}\``, () => openSync(source, READ));
  try {
    const stats = withOsErrorContext(`could not learn metadata for: \`${source}\``, () => fstatSync(fd));
    const failure = `could not archive source file \`${source}\``;
    withOsErrorContext(failure, () => checkRegular(stats));
    const { size, mode } = stats;
    gzip.put(tarHeader({ path, size, isExecutable: (mode & 0o100) !== 0, isGenerated: false }));
    let remainingBytes = size;
    for (let isEnd = false; !isEnd; ) {
      const { count, isShort } = withOsErrorContext(failure, () => readPart(gzip, fd, remainingBytes));
      remainingBytes -= count;
      isEnd = remainingBytes === 0 && isShort;
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

/** Flags for opening a source: a pipe must not wait for a writer. Windows lacks that flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function checkRegular(stats: Stats): void {
  if (stats.isFile()) return;
  throw ioError(stats.isDirectory() ? describeErrno('EISDIR') : 'it is not a regular file');
}

/**
 * Reads up to one byte more than should be left, which shows without another call if the file ends there. `isShort`
 * means that the system returned fewer bytes than requested.
 */
function readPart(
  gzip: GzipWriter,
  fd: number,
  remainingBytes: number,
): { readonly count: number; readonly isShort: boolean } {
  const { free } = gzip;
  const requestedBytes = Math.min(free.length, remainingBytes + 1);
  const count = readSync(fd, free, 0, requestedBytes, null);
  if (count > remainingBytes || (count === 0 && remainingBytes > 0)) throw changedWhileRead();
  gzip.advance(count);
  return { count, isShort: count < requestedBytes };
}

function changedWhileRead(): TsregError {
  return ioError('the file changed while it was read');
}

function ioError(message: string): TsregError {
  return new TsregError(message, { code: 'io' });
}

/** Runs `body`. Throws its operating system errors in cargo's words, below `message`. */
function withOsErrorContext<T>(message: string, body: () => T): T {
  return withContext(message, () => {
    try {
      return body();
    } catch (error) {
      throw errnoOf(error) === null ? error : osError(error);
    }
  });
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}
