/** Writes files atomically. */
import {
  chmodSync,
  closeSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf } from './errno.ts';
import { makeFolders } from './make-folders.ts';
import { temporarySuffix } from './temporary-suffix.ts';

const OWNER_ONLY = 0o600;
/** The bits of a mode without the type of the file. */
const PERMISSION_BITS = 0o7777;

/** Options for writing a file. */
export interface AtomicWriteOptions {
  /** Mode of a new file, before the umask; an existing file keeps its own. Default: 0o666. */
  readonly mode?: number;
  /** True if a power failure must not leave partial bytes, false if they can be fetched again. Default: true. */
  readonly durable?: boolean;
}

/**
 * Writes `data` to `path` by renaming a temporary file next to it. Follows and keeps a symbolic link, but replaces a
 * dangling one. Creates missing folders. After a failure, the old content stays and the temporary file is removed.
 * Concurrent readers see either the old or the new bytes. After a power failure, the old file may still be there, but
 * if `durable`, never partial bytes. Throws Node's errors.
 */
export async function writeFileAtomic(
  path: string,
  data: Uint8Array | string,
  options: AtomicWriteOptions = {},
): Promise<void> {
  await replaceFile(path, (fd) => writeAll(fd, data), options);
}

/**
 * Like `writeFileAtomic`, for content that is produced while writing. `write` gets the descriptor of the temporary
 * file, which it must not close. Returns its result, and throws its errors.
 */
export async function replaceFile<T>(
  path: string,
  write: (fd: number) => Promise<T>,
  options: AtomicWriteOptions = {},
): Promise<T> {
  const { target, existing } = findTarget(path);
  const temporary = temporaryFor(target);
  const mode = options.mode ?? 0o666;
  // A file that only its owner may read stays private while it is written.
  const fd = openInFolder(temporary, existing === undefined ? mode : (mode & existing.mode) | OWNER_ONLY);
  try {
    const result = await writeAndClose(fd, write, { isDurable: options.durable ?? true });
    if (existing !== undefined) chmodSync(temporary, existing.mode & PERMISSION_BITS);
    renameSync(temporary, target);
    return result;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Writes `data` to `path` if nothing exists there, not even a dangling link: otherwise throws `EEXIST`. The folder must
 * exist. After a power failure, the file may be missing, but never has partial bytes. Needs a file system with hard
 * links.
 */
export async function createFileAtomic(path: string, data: Uint8Array | string): Promise<void> {
  const temporary = temporaryFor(path);
  const fd = openSync(temporary, 'wx');
  try {
    await writeAndClose(fd, () => writeAll(fd, data), { isDurable: true });
    linkSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Up to this size, writing here is faster than passing the data to another thread. Threads may also be busy, so that a
 * task for them has to wait.
 */
const MAX_BYTES_AT_ONCE = 1024 * 1024;

async function writeAll(fd: number, data: Uint8Array | string): Promise<void> {
  if (data.length <= MAX_BYTES_AT_ONCE) writeFileSync(fd, data);
  else await writeByThread(fd, data);
}

const writeByThread: (fd: number, data: Uint8Array | string) => Promise<void> = promisify(writeFile);
const flush: (fd: number) => Promise<void> = promisify(fsync);

/** Returns the path of a temporary file in the folder of `path`, since a rename works only in one file system. */
function temporaryFor(path: string): string {
  return join(dirname(path), `.${basename(path)}${temporarySuffix()}`);
}

/** Calls `write`, and flushes the file to the disk if `isDurable`. Closes `fd` in any case. */
async function writeAndClose<T>(
  fd: number,
  write: (fd: number) => Promise<T>,
  { isDurable }: { readonly isDurable: boolean },
): Promise<T> {
  try {
    const result = await write(fd);
    if (isDurable) await flush(fd);
    return result;
  } finally {
    closeSync(fd);
  }
}

/** Creates a file, and its folder if that is missing. */
function openInFolder(path: string, mode: number): number {
  try {
    return openSync(path, 'wx', mode);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    makeFolders(dirname(path));
    return openSync(path, 'wx', mode);
  }
}

/** Returns the path to write, links resolved, and the state of its file. Looks up each only once. */
function findTarget(path: string): { readonly target: string; readonly existing: Stats | undefined } {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() !== true) return { target: path, existing: stats };
  const target = resolveLink(path);
  return { target, existing: statSync(target, { throwIfNoEntry: false }) };
}

/** Returns the path that a link leads to; `path` itself if nothing is there: the link is then replaced. */
function resolveLink(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return path;
    throw error;
  }
}
