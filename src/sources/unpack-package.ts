/** From a `.crate` to a folder under `registry/src`. Cargo Book: Cargo Home. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { FolderBound } from '../archive/archive-bounds.ts';
import { inflateGzipInParts } from '../archive/inflate-gzip.ts';
import { readTarInParts, type TarEntryInParts } from '../archive/read-tar.ts';
import { errnoOf, osError } from '../disk/errno.ts';
import { createFolders } from '../disk/make-folders.ts';
import { debugText } from '../errors/debug-text.ts';
import { TsregError, withContext } from '../errors/error.ts';
import { describeErrno } from '../errors/os-error-text.ts';
import { describePackage } from '../package-id/describe.ts';
import type { PackageId } from '../package-id/package-id.ts';
import { pathPart } from '../package-id/path-part.ts';
import { READY_FILE, READY_TEXT } from './package-presence.ts';

const MIN_SIZE_LIMIT = 512 * 1024 * 1024;
const MAX_RATIO = 20;
const MAX_ENTRIES = 500_000;
/** Files that `cargo package` makes itself, and the time that they have whatever the archive says. */
const GENERATED_FILES = ['Cargo.lock', 'Cargo.toml', '.cargo_vcs_info.json'];
const GENERATED_MTIME = 1_153_704_088;
/** What unpacking there fails with is told when it is tried. */
const NOTHING_TO_LIST: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);
const TEMPORARY = /^\.tsreg-[0-9a-f]{12}$/;

/** The folder name of a package, `name-version`, which is also the one folder in its archive. Throws unless it is a part of a path. */
export function packageDirName(id: Pick<PackageId, 'name' | 'version'>): string {
  return pathPart(`${id.name}-${id.version.text}`);
}

/**
 * Unpacks a `.crate` below `parent` (the registry's folder under `registry/src`) and gives the package's
 * folder. It appears there whole, by a rename; whatever unfinished thing stood in its place is removed, so
 * the lock on the package cache must be held. Nothing is left after a failure.
 *
 * Refused: entries outside of the package's own folder, `..`, links, devices, archives beyond 512 MiB and 20 times their
 * compressed size, and those beyond what `FolderBound` lets through.
 */
export function unpackPackage(archive: Uint8Array, id: PackageId, parent: string): string {
  return withContext(
    () => `failed to unpack package \`${describePackage(id)}\``,
    () => unpackArchive(archive, { parent, dirName: packageDirName(id) }),
  );
}

/** As `unpackPackage`, for who does not say which package it is; `dirName` is its `packageDirName`. */
export function unpackArchive(
  archive: Uint8Array,
  { parent, dirName }: { readonly parent: string; readonly dirName: string },
): string {
  const root = join(parent, dirName);
  const temporary = join(parent, `.tsreg-${randomBytes(6).toString('hex')}`);
  createFolders(temporary, root);
  try {
    unpackInto(archive, { unpacked: temporary, dirName, root });
    markGeneratedFiles(temporary);
    writeFileSync(join(temporary, READY_FILE), READY_TEXT, { flag: 'wx' });
    replaceFolder(temporary, root);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error instanceof TsregError ? error : osError(error);
  }
  return root;
}

/** Removes what killed runs left below `parent`; the lock on the package cache must be held. */
export function removeUnfinishedUnpacks(parent: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(parent);
  } catch (error) {
    if (NOTHING_TO_LIST.has(errnoOf(error) ?? '')) return;
    throw error;
  }
  for (const name of names) {
    if (TEMPORARY.test(name)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

/** Where, and what of it, an archive is unpacked. */
export interface UnpackDestination {
  /** Where files are written. */
  readonly unpacked: string;
  /** The folder that every entry must be in. */
  readonly dirName: string;
  /** Where the package will be, for messages. */
  readonly root: string;
  /** Whether an entry is taken, by the parts of its path below the package's folder; everything is unless given. */
  readonly isWanted?: (parts: readonly string[]) => boolean;
  /** Receives each file that is written; of two with one path the later counts. */
  readonly onFile?: (parts: readonly string[]) => FileReceiver;
}

/** Is told of one file what is written. */
export interface FileReceiver {
  content(part: Uint8Array): void;
  end(): void;
}

/** Unpacks a `.crate` into a folder that is there, under the rules of `unpackPackage`. */
export function unpackInto(archive: Uint8Array, destination: UnpackDestination): void {
  const maxBytes = Math.max(MIN_SIZE_LIMIT, archive.length * MAX_RATIO);
  const iterating = 'failed to iterate over archive';
  const folders = new Set([destination.unpacked]);
  const bound = new FolderBound();
  const entries = readTarInParts(inflateGzipInParts(archive, maxBytes));
  for (let count = 0; ; count += 1) {
    const next = withContext(iterating, () => {
      if (count > MAX_ENTRIES) throw archiveError('maximum limit reached when reading');
      return entries.next();
    });
    if (next.done === true) break;
    const entry = next.value;
    const inside = pathInside(entry.path, destination.dirName);
    if (destination.isWanted?.(inside) === false) continue;
    checkType(entry);
    if (inside.at(-1) === READY_FILE) continue;
    withContext(
      () => `failed to unpack entry at \`${entry.path}\``,
      () => {
        if (inside.includes('..')) throw archiveError('the path leads out of the package');
        bound.enter(entry.kind === 'directory' ? [...inside, ''] : inside);
        writeEntry(entry, { inside, folders, destination });
      },
    );
  }
}

/** Types of entries that are unpacked: files, of old archives too, and folders. */
const UNPACKED_TYPES: ReadonlySet<string> = new Set(['0', '\0', '5']);
/** What cargo calls the others; it has no names for those that are not here. */
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

/** The parts of an entry's path below the package's folder. */
function pathInside(path: string, dirName: string): string[] {
  const parts = path.split('/');
  const isForeign = process.platform === 'win32' && /[\\:]/.test(path);
  if (parts[0] !== dirName || isForeign) {
    throw archiveError(
      `invalid tarball downloaded, contains a file at ${JSON.stringify(path)} which isn't under ${JSON.stringify(dirName)}`,
    );
  }
  return parts.slice(1).filter((part) => part !== '' && part !== '.');
}

interface EntryPlace {
  readonly inside: readonly string[];
  /** Folders that were made already. */
  readonly folders: Set<string>;
  readonly destination: UnpackDestination;
}

function writeEntry(entry: TarEntryInParts, place: EntryPlace): void {
  const { inside, folders, destination } = place;
  const path = join(destination.unpacked, ...inside);
  try {
    if (entry.kind === 'directory') {
      // Whatever its mode says, what is in it must be written.
      makeFolder(path, folders, (entry.mode & 0o777) | 0o700);
      return;
    }
    makeFolder(dirname(path), folders, 0o777);
    writeEntryFile(path, entry, destination.onFile?.(inside) ?? null);
  } catch (error) {
    const final = join(destination.root, ...inside);
    throw new TsregError(`failed to unpack \`${final}\``, {
      cause: new TsregError(`failed to unpack \`${entry.path}\` into \`${final}\``, {
        cause: error instanceof TsregError ? error : osError(error),
      }),
    });
  }
}

function makeFolder(path: string, folders: Set<string>, mode: number): void {
  if (folders.has(path)) return;
  try {
    mkdirSync(path, { recursive: true, mode });
  } catch (error) {
    // A file stands there; Node says of the last part of a path what cargo says of every part.
    if (errnoOf(error) === 'EEXIST') throw archiveError(describeErrno('ENOTDIR'));
    throw error;
  }
  folders.add(path);
}

function writeEntryFile(path: string, entry: TarEntryInParts, receiver: FileReceiver | null): void {
  const mode = entry.mode & 0o777;
  let fd: number;
  try {
    fd = openSync(path, 'wx', mode);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    // Of two entries with one path the later counts.
    unlinkSync(path);
    fd = openSync(path, 'wx', mode);
  }
  try {
    let missing = entry.size;
    for (let part = entry.next(); part !== null; part = entry.next()) {
      for (let at = 0; at < part.length; ) at += writeSync(fd, part, at);
      receiver?.content(part);
      missing -= part.length;
    }
    if (missing > 0)
      throw archiveError(entry.isCut() ? 'unexpected end of file' : 'failed to write entire file');
    receiver?.end();
    // A time of 0 is nothing that other programs take for one.
    const mtime = entry.mtime === 0 ? 1 : entry.mtime;
    if (mtime !== null) futimesSync(fd, mtime, mtime);
  } finally {
    closeSync(fd);
  }
}

/** Gives files that `cargo package` makes itself the time that cargo gives them. */
export function markGeneratedFiles(root: string): void {
  for (const name of GENERATED_FILES) {
    try {
      utimesSync(join(root, name), GENERATED_MTIME, GENERATED_MTIME);
    } catch {
      // Not there, or not ours to change: the time is a courtesy to build scripts.
    }
  }
}

function replaceFolder(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== 'ENOTEMPTY' && errno !== 'EEXIST' && errno !== 'ENOTDIR' && errno !== 'EPERM') throw error;
    rmSync(to, { recursive: true, force: true });
    renameSync(from, to);
  }
}

function archiveError(message: string): TsregError {
  return new TsregError(message, { code: 'archive' });
}
