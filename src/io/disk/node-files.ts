/** The real file system. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, type Dirent } from 'node:fs';
import { TsregError } from '../../core/errors/error.ts';
import { compareBytes } from '../../core/files/compare-bytes.ts';
import type { Entry, Files, Kind } from '../../core/files/files.ts';
import { errnoOf } from './errno.ts';
import { inputRecorder } from './input-recorder.ts';
import { listingText } from './listing-text.ts';
import { isThere, statsOrNull } from './stats.ts';

/**
 * Reads the real file system. Every result is cached, so one run sees one state of each file and reads it once. Make a
 * new one to see later changes. `Files` documents the methods.
 */
export class NodeFiles implements Files {
  readonly #contents = new Map<string, Uint8Array | null>();
  readonly #listings = new Map<string, readonly Entry[] | null>();
  readonly #kinds = new Map<string, Kind | null>();
  /** Paths that exist, but whose kind is not known. */
  readonly #existingPaths = new Set<string>();

  read(path: string): Uint8Array | null {
    let content = this.#contents.get(path);
    if (content === undefined) {
      content = rejectingOnError(path, readContent);
      this.#contents.set(path, content);
    }
    inputRecorder()?.content(path, content);
    return content;
  }

  list(path: string): readonly Entry[] | null {
    let entries = this.#listings.get(path);
    if (entries === undefined) {
      // Most requested folders do not exist, and a failing call takes ten times as long as this check.
      entries = isThere(path) ? rejectingOnError(path, readListing) : null;
      this.#listings.set(path, entries);
    }
    inputRecorder()?.listing(path, entries === null ? null : listingText(entries));
    return entries;
  }

  /** An inaccessible path counts as absent, as in cargo. */
  kind(path: string): Kind | null {
    let kind = this.#kinds.get(path);
    if (kind === undefined) {
      kind = readKind(path);
      this.#kinds.set(path, kind);
    }
    inputRecorder()?.kind(path, kind);
    return kind;
  }

  exists(path: string): boolean {
    const isFound = this.#exists(path);
    inputRecorder()?.presence(path, isFound);
    return isFound;
  }

  /** Like `exists`, but does not record an input. */
  #exists(path: string): boolean {
    const kind = this.#kinds.get(path);
    if (kind !== undefined) return kind !== null;
    if (this.#existingPaths.has(path)) return true;
    const isFound = isThere(path);
    if (isFound) this.#existingPaths.add(path);
    else this.#kinds.set(path, null);
    return isFound;
  }
}

/** The most bytes that are read from a pipe or device. */
const MAX_DEVICE_BYTES = 16 * 1024 * 1024;
const DEVICE_PART_BYTES = 64 * 1024;

/** Returns the result of `read` for `path`. If that throws, the result of the run cannot be reused. */
function rejectingOnError<T>(path: string, read: (path: string) => T): T {
  try {
    return read(path);
  } catch (error) {
    inputRecorder()?.reject(`\`${path}\` cannot be read`);
    throw error;
  }
}

/** Opens a file for reading; null if it does not exist. The caller must close the descriptor. */
function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the content of a file; null if it does not exist. Throws Node's errors. */
function readContent(path: string): Uint8Array | null {
  const fd = openIfThere(path);
  if (fd === null) return null;
  try {
    if (fstatSync(fd).isFile()) return readFileSync(fd);
    // A pipe or device can be read only once.
    inputRecorder()?.reject(`\`${path}\` is not a regular file`);
    return readDevice(fd, path);
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads a pipe or device. Throws `limit` beyond `MAX_DEVICE_BYTES`: a repository may contain a link to an endless one.
 */
function readDevice(fd: number, path: string): Uint8Array {
  const parts: Buffer[] = [];
  for (let size = 0; size <= MAX_DEVICE_BYTES; ) {
    const part = Buffer.allocUnsafeSlow(DEVICE_PART_BYTES);
    const count = readSync(fd, part);
    if (count === 0) return Buffer.concat(parts);
    parts.push(part.subarray(0, count));
    size += count;
  }
  throw new TsregError(`\`${path}\` is not a regular file, and returns more than ${MAX_DEVICE_BYTES} bytes`, {
    code: 'limit',
  });
}

/** Returns the entries of a folder, sorted by bytes; null if there is no folder. */
function readListing(path: string): readonly Entry[] | null {
  const entries = readEntries(path);
  if (entries === null) return null;
  // Without these characters, UTF-16 order equals byte order, and V8 compares such strings natively.
  if (!entries.some(({ name }) => /[\ud800-\uffff]/.test(name)))
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  // Node puts U+FFFD in place of bytes that are not UTF-8.
  const mayHaveBytes = entries.some(({ name }) => name.includes('\uFFFD'));
  const utf8Names = mayHaveBytes ? readUtf8Names(path) : null;
  return entries
    .filter(({ name }) => utf8Names?.has(name) ?? true)
    .toSorted((a, b) => compareBytes(a.name, b.name));
}

/** Returns the entries of a folder in any order; null if there is no folder. */
function readEntries(path: string): readonly Entry[] | null {
  try {
    const dirents = readdirSync(path, { withFileTypes: true });
    return dirents.map((dirent) => ({ name: dirent.name, kind: kindOfEntry(dirent) }));
  } catch (error) {
    if (readKind(path) !== 'directory') return null;
    throw error;
  }
}

/** Returns the names in a folder that are UTF-8. Node returns others in a form that does not find them. */
function readUtf8Names(path: string): ReadonlySet<string> {
  const names = readdirSync(path, { encoding: 'buffer' });
  return new Set(
    names.flatMap((bytes) => {
      const name = bytes.toString();
      return Buffer.from(name).equals(bytes) ? [name] : [];
    }),
  );
}

/** Returns the kind of a path, links followed; null if it does not exist or is inaccessible. */
function readKind(path: string): Kind | null {
  const stats = statsOrNull(path);
  if (stats === null) return null;
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'directory' : 'other';
}

function kindOfEntry(dirent: Dirent): Entry['kind'] {
  if (dirent.isFile()) return 'file';
  if (dirent.isDirectory()) return 'directory';
  return dirent.isSymbolicLink() ? 'symlink' : 'other';
}
