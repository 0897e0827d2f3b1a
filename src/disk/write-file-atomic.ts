/** Files that appear whole or not at all. */
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

const OWNER = 0o600;

/** How a file is to be written. */
export interface AtomicWriteOptions {
  /** Mode of a new file, before the umask; an existing file keeps its own. 0o666 unless given. */
  readonly mode?: number;
  /** True if the bytes must survive a power failure, false for what can be fetched again. True unless given. */
  readonly durable?: boolean;
}

/**
 * Puts `data` at `path` by writing a temporary file beside it and renaming that. A symbolic link is
 * followed and kept. Missing folders are made. After a failure the old content stands and nothing else
 * is left; whoever reads meanwhile sees the old bytes or the new ones.
 */
export async function writeFileAtomic(
  path: string,
  data: Uint8Array | string,
  options: AtomicWriteOptions = {},
): Promise<void> {
  await replaceFile(path, (fd) => writeAll(fd, data), options);
}

/** As `writeFileAtomic`, for what is made while it is written: `write` gets a descriptor. */
export async function replaceFile<T>(
  path: string,
  write: (fd: number) => Promise<T>,
  options: AtomicWriteOptions = {},
): Promise<T> {
  const { target, existing } = findTarget(path);
  const temporary = temporaryFor(target);
  const mode = options.mode ?? 0o666;
  // What only its owner may read is read by nobody else while it is written, either.
  const fd = openInFolder(temporary, existing === undefined ? mode : (mode & existing.mode) | OWNER);
  try {
    const result = await writeAndClose(fd, write, options.durable ?? true);
    if (existing !== undefined) chmodSync(temporary, existing.mode & 0o7777);
    renameSync(temporary, target);
    return result;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Puts `data` at `path` if nothing stands there, not even a symbolic link that leads nowhere: whoever comes
 * second gets `EEXIST`. The bytes survive a power failure. Needs a file system with hard links.
 */
export async function createFileAtomic(path: string, data: Uint8Array | string): Promise<void> {
  const temporary = temporaryFor(path);
  const fd = openSync(temporary, 'wx');
  try {
    await writeAndClose(fd, () => writeAll(fd, data), true);
    linkSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

// What takes no time is done at once: Node's threads may be busy, and whoever waits for one waits in a queue.

/** So much takes less time to write than to hand to another thread. */
const MAX_BYTES_AT_ONCE = 1024 * 1024;

async function writeAll(fd: number, data: Uint8Array | string): Promise<void> {
  if (data.length <= MAX_BYTES_AT_ONCE) writeFileSync(fd, data);
  else await writeByThread(fd, data);
}

const writeByThread: (fd: number, data: Uint8Array | string) => Promise<void> = promisify(writeFile);
const flush: (fd: number) => Promise<void> = promisify(fsync);

function temporaryFor(path: string): string {
  return join(dirname(path), `.${basename(path)}${temporarySuffix()}`);
}

async function writeAndClose<T>(
  fd: number,
  write: (fd: number) => Promise<T>,
  isDurable: boolean,
): Promise<T> {
  try {
    const result = await write(fd);
    if (isDurable) await flush(fd);
    return result;
  } finally {
    closeSync(fd);
  }
}

function openInFolder(path: string, mode: number): number {
  try {
    return openSync(path, 'wx', mode);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    makeFolders(dirname(path));
    return openSync(path, 'wx', mode);
  }
}

/** Where a file is really written, and what is there; nothing of it is asked twice. */
function findTarget(path: string): { readonly target: string; readonly existing: Stats | undefined } {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() !== true) return { target: path, existing: there };
  const target = resolveLink(path);
  return { target, existing: statSync(target, { throwIfNoEntry: false }) };
}

function resolveLink(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return path;
    throw error;
  }
}
