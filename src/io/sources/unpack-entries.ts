/** Writes the entries of a `.crate` to disk. Its content is hostile. Cargo Book: cargo package. */
import { closeSync, futimesSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { debugText } from '../../core/errors/debug-text.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { describeErrno } from '../../core/errors/os-error-text.ts';
import { FolderBound } from '../archive/archive-bounds.ts';
import { archiveError } from '../archive/archive-error.ts';
import { inflateGzipInParts } from '../archive/inflate-gzip.ts';
import { READY_FILE } from '../archive/portable-name.ts';
import { readTarInParts, type TarEntryInParts } from '../archive/read-tar.ts';
import { errnoOf, osError } from '../disk/errno.ts';

/**
 * Archives may always unpack to this size in bytes, and beyond it to `MAX_RATIO` times their compressed size. These are
 * cargo's limits.
 */
const MIN_SIZE_LIMIT = 512 * 1024 * 1024;
const MAX_RATIO = 20;
/** Each entry costs time, even an empty one. */
const MAX_ENTRIES = 500_000;

/** The destination of an archive's entries, and a filter for them. */
export interface UnpackDestination {
  /** The folder to write to. */
  readonly unpacked: string;
  /** The folder that every entry must be in. */
  readonly dirName: string;
  /** The final folder of the package, for messages. */
  readonly root: string;
  /** Returns true for entries to unpack, by the parts of their path below the package's folder. Default: all. */
  readonly isWanted?: (parts: readonly string[]) => boolean;
  /** Receives each file that is written. If two have the same path, the later one counts. */
  readonly onFile?: (parts: readonly string[]) => FileReceiver;
}

/** Receives the content of one file. */
export interface FileReceiver {
  /** Called for each part, in order. */
  content(part: Uint8Array): void;
  /** Called after the last part. Not called for an incomplete file. */
  end(): void;
}

/**
 * Unpacks a `.crate` into an existing folder. Rejects entries outside the package's folder, `..`, links, devices,
 * archives that exceed both 512 MiB and 20 times their compressed size, and those beyond the limits of `FolderBound`. A
 * failure leaves earlier entries behind.
 */
export function unpackInto(archive: Uint8Array, destination: UnpackDestination): void {
  const maxBytes = Math.max(MIN_SIZE_LIMIT, archive.length * MAX_RATIO);
  const folders = new Set([destination.unpacked]);
  const bound = new FolderBound();
  const entries = readTarInParts(inflateGzipInParts(archive, maxBytes));
  for (let count = 0; ; count += 1) {
    const next = withContext('failed to iterate over archive', () => {
      if (count > MAX_ENTRIES) throw archiveError('maximum limit reached when reading');
      return entries.next();
    });
    if (next.done === true) break;
    const entry = next.value;
    const parts = pathInside(entry.path, destination.dirName);
    if (destination.isWanted?.(parts) === false) continue;
    checkType(entry);
    if (parts.at(-1) === READY_FILE) continue;
    withContext(
      () => `failed to unpack entry at \`${entry.path}\``,
      () => {
        if (parts.includes('..')) throw archiveError('the path leads out of the package');
        bound.enter(entry.kind === 'directory' ? [...parts, ''] : parts);
        writeEntry(entry, { parts, folders, destination });
      },
    );
  }
}

/** Entry types that are unpacked: files, including those of old archives, and folders. */
const UNPACKED_TYPES: ReadonlySet<string> = new Set(['0', '\0', '5']);
/** cargo's names for the other types; it has no name for types that are not here. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['1', 'Link'],
  ['2', 'Symlink'],
  ['3', 'Char'],
  ['4', 'Block'],
  ['6', 'Fifo'],
  ['7', 'Continuous'],
  ['S', 'GNUSparse'],
]);

/** Throws unless the entry is a file or a folder: a link may point anywhere. */
function checkType({ path, type }: TarEntryInParts): void {
  if (UNPACKED_TYPES.has(type)) return;
  const name = TYPE_NAMES.get(type) ?? `__Nonexhaustive(${type.charCodeAt(0)})`;
  throw archiveError(
    `invalid tarball downloaded, contains an entry at ${debugText(path)} with invalid type ${name}`,
  );
}

/** Returns the parts of an entry's path below the package's folder. Throws `archive` if it is not there. */
function pathInside(path: string, dirName: string): string[] {
  const parts = path.split('/');
  // On Windows, these characters could lead out of the folder.
  const isForeign = process.platform === 'win32' && /[\\:]/.test(path);
  if (parts[0] !== dirName || isForeign) {
    throw archiveError(
      `invalid tarball downloaded, contains a file at ${JSON.stringify(path)} which isn't under ${JSON.stringify(dirName)}`,
    );
  }
  return parts.slice(1).filter((part) => part !== '' && part !== '.');
}

/** Where to write an entry. */
interface EntryPlace {
  /** The parts of its path below the package's folder. */
  readonly parts: readonly string[];
  /** Folders that were made already. */
  readonly folders: Set<string>;
  readonly destination: UnpackDestination;
}

/** Writes a file or a folder. Throws with cargo's chain of causes. */
function writeEntry(entry: TarEntryInParts, place: EntryPlace): void {
  const { parts, folders, destination } = place;
  const path = join(destination.unpacked, ...parts);
  try {
    if (entry.kind === 'directory') {
      // Whatever the mode of the folder is, files must be written to it.
      makeFolder(path, folders, (entry.mode & 0o777) | 0o700);
      return;
    }
    makeFolder(dirname(path), folders, 0o777);
    writeEntryFile(path, entry, destination.onFile?.(parts) ?? null);
  } catch (error) {
    const final = join(destination.root, ...parts);
    throw new TsregError(`failed to unpack \`${final}\``, {
      cause: new TsregError(`failed to unpack \`${entry.path}\` into \`${final}\``, {
        cause: osError(error),
      }),
    });
  }
}

/** Creates a folder with its parents, unless `folders` has it. */
function makeFolder(path: string, folders: Set<string>, mode: number): void {
  if (folders.has(path)) return;
  try {
    mkdirSync(path, { recursive: true, mode });
  } catch (error) {
    // A file is in the way. Node has this error for the last part of a path, cargo for every part.
    if (errnoOf(error) === 'EEXIST') throw archiveError(describeErrno('ENOTDIR'));
    throw error;
  }
  folders.add(path);
}

/** Writes a file with the mode and time of its entry. Throws `archive` if the content is incomplete. */
function writeEntryFile(path: string, entry: TarEntryInParts, receiver: FileReceiver | null): void {
  const mode = entry.mode & 0o777;
  let fd: number;
  try {
    fd = openSync(path, 'wx', mode);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    // If two entries have the same path, the later one counts.
    unlinkSync(path);
    fd = openSync(path, 'wx', mode);
  }
  try {
    let missingBytes = entry.size;
    for (let part = entry.next(); part !== null; part = entry.next()) {
      for (let written = 0; written < part.length; ) written += writeSync(fd, part, written);
      receiver?.content(part);
      missingBytes -= part.length;
    }
    if (missingBytes > 0)
      throw archiveError(entry.isCut() ? 'unexpected end of file' : 'failed to write entire file');
    receiver?.end();
    // Some programs do not accept 0 as a time.
    const mtime = entry.mtime === 0 ? 1 : entry.mtime;
    if (mtime !== null) futimesSync(fd, mtime, mtime);
  } finally {
    closeSync(fd);
  }
}
