/** Files that appear whole or not at all. */
import { randomBytes } from 'node:crypto';
import { chmod, type FileHandle, link, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from './errno.ts';
import { makeFolders } from './make-folders.ts';

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
  await replaceOpened(path, (file) => file.writeFile(data), options);
}

/** As `writeFileAtomic`, for what is made while it is written: `write` gets a descriptor. */
export async function replaceFile<T>(
  path: string,
  write: (fd: number) => Promise<T>,
  options: AtomicWriteOptions = {},
): Promise<T> {
  return await replaceOpened(path, ({ fd }) => write(fd), options);
}

async function replaceOpened<T>(
  path: string,
  write: (file: FileHandle) => Promise<T>,
  options: AtomicWriteOptions,
): Promise<T> {
  const target = await resolveLink(path);
  const existing = await statOrNull(target);
  const temporary = temporaryFor(target);
  const file = await openInFolder(temporary, options.mode ?? 0o666);
  try {
    const result = await writeAndClose(file, write, options.durable ?? true);
    if (existing !== null) await chmod(temporary, existing.mode & 0o7777);
    await rename(temporary, target);
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Puts `data` at `path` if nothing stands there, not even a symbolic link that leads nowhere: whoever comes
 * second gets `EEXIST`. The bytes survive a power failure. Needs a file system with hard links.
 */
export async function createFileAtomic(path: string, data: Uint8Array | string): Promise<void> {
  const temporary = temporaryFor(path);
  const file = await open(temporary, 'wx');
  try {
    await writeAndClose(file, () => file.writeFile(data), true);
    await link(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

function temporaryFor(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
}

async function writeAndClose<T>(
  file: FileHandle,
  write: (file: FileHandle) => Promise<T>,
  isDurable: boolean,
): Promise<T> {
  try {
    const result = await write(file);
    if (isDurable) await file.sync();
    return result;
  } finally {
    await file.close();
  }
}

async function openInFolder(path: string, mode: number) {
  try {
    return await open(path, 'wx', mode);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    makeFolders(dirname(path));
    return await open(path, 'wx', mode);
  }
}

async function resolveLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return path;
    throw error;
  }
}

async function statOrNull(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}
