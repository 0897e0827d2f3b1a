/** Unpacks a `.crate` to build it. Cargo Book: cargo-package(1). */
import { kMaxLength } from 'node:buffer';
import { closeSync, fchmodSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, osError } from '../disk/errno.ts';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import { FolderBound } from './archive-bounds.ts';
import { archiveError } from './archive-error.ts';
import { inflateGzipInParts } from './inflate-gzip.ts';
import { hidesReadyFile } from './portable-name.ts';
import { readTarInParts, type TarEntryInParts } from './read-tar.ts';

/** The destination of an unpacked archive. */
export interface BuildDestination {
  /** The absolute folder for the archive's top folder. It may not exist yet. */
  readonly parent: string;
  /** The single folder that contains everything in the archive. `unpackCrate` removes its previous content. */
  readonly topFolder: string;
  readonly signal: AbortSignal;
}

/** After this many files, other tasks may run: such as the one that aborts the signal. */
const FILES_PER_TURN = 64;

/**
 * Unpacks a `.crate` that `writeCrate` made, and returns its folder. Files get the archive's modes and the current
 * time, so that builds see them as new. Throws `archive` for anything that `writeCrate` does not make, and `io`. A
 * failure leaves earlier files behind: the next call removes them.
 */
export async function unpackCrate(path: string, destination: BuildDestination): Promise<string> {
  const root = join(destination.parent, destination.topFolder);
  return await withContextAsync(`failed to unpack \`${path}\``, async () => {
    try {
      rmSync(root, { recursive: true, force: true });
      const bound = new FolderBound();
      const folders = new Set<string>();
      let count = 0;
      for (const entry of readTarInParts(inflated(readFileSync(path)), { isStrict: true })) {
        writeEntry(entry, { destination, bound, folders });
        count += 1;
        if (count % FILES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
        destination.signal.throwIfAborted();
      }
      return root;
    } catch (error) {
      throw errnoOf(error) === null ? error : osError(error);
    }
  });
}

/** Yields the tar archive. Like cargo, reports every damage in the same words. */
function* inflated(bytes: Uint8Array): Generator<Uint8Array, boolean, undefined> {
  try {
    return yield* inflateGzipInParts(bytes, kMaxLength, { isStrict: true });
  } catch (error) {
    throw error instanceof TsregError ? archiveError('corrupt deflate stream') : error;
  }
}

interface UnpackState {
  readonly destination: BuildDestination;
  readonly bound: FolderBound;
  /** Absolute folders that exist. */
  readonly folders: Set<string>;
}

/** Writes one file with its folders. Throws `archive` if it is not a file of the package. */
function writeEntry(entry: TarEntryInParts, { destination, bound, folders }: UnpackState): void {
  const { parent, topFolder } = destination;
  const parts = entry.path.split('/');
  const isInside = parts.length > 1 && parts[0] === topFolder;
  const hasNamesOnly = parts.every((part) => part !== '..' && part !== '');
  if (
    entry.kind !== 'file' ||
    !isInside ||
    !hasNamesOnly ||
    hidesReadyFile(parts.slice(1), { isFolder: false })
  ) {
    throw archiveError(`\`${entry.path}\` is not a file of the package`);
  }
  bound.enter(parts.slice(1));
  const path = join(parent, ...parts);
  const folder = dirname(path);
  if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
  folders.add(folder);
  const fd = openSync(path, 'w');
  try {
    fchmodSync(fd, entry.mode & 0o777);
    let missingBytes = entry.size;
    for (let part = entry.next(); part !== null; part = entry.next()) {
      for (let written = 0; written < part.length; ) written += writeSync(fd, part, written);
      missingBytes -= part.length;
    }
    if (missingBytes > 0) throw archiveError('unexpected end of file');
  } finally {
    closeSync(fd);
  }
}
