/** Checks an uploaded `.crate` without unpacking it to disk. Cargo Book: cargo-package(1). */
import { TsregError } from '../../core/errors/error.ts';
import { FolderBound } from './archive-bounds.ts';
import { archiveError } from './archive-error.ts';
import { inflateGzipInParts } from './inflate-gzip.ts';
import { parentOf } from './parent-path.ts';
import { characterProblem, foldPath, hidesReadyFile, portableNameProblem } from './portable-name.ts';
import { readTarInParts, type TarEntryInParts } from './read-tar.ts';

/** Requirements and limits for an archive. */
export interface InspectOptions {
  /** The single folder that must contain everything: `name-version`. */
  readonly topFolder: string;
  /** Limit for the contents and headers of all files. */
  readonly maxUnpackedBytes: number;
  /** Limit for the number of entries, including folders. */
  readonly maxFiles: number;
  /** True to refuse names that some systems do not support or cannot tell apart. `package` only warns about them. */
  readonly isPortable: boolean;
}

/** The contents of an archive. */
export interface InspectedCrate {
  /** Paths of files, relative to the top folder. */
  readonly files: ReadonlySet<string>;
  /** Paths of folders, including those that only appear in the paths of files. */
  readonly folders: ReadonlySet<string>;
  /** The text of `Cargo.toml`. */
  readonly manifest: string;
}

const MANIFEST = 'Cargo.toml';
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const MAX_PATH_CHARS = 1000;

/**
 * Reads a whole `.crate`, and returns its names and its `Cargo.toml`. Throws `archive` if it is invalid, could do harm,
 * or could be read differently by another program. Throws `limit` if it is too large.
 */
export function inspectCrate(archive: Uint8Array, options: InspectOptions): InspectedCrate {
  const listing = new Listing(options);
  const parts = inflateGzipInParts(archive, options.maxUnpackedBytes, { isStrict: true });
  for (const entry of readTarInParts(parts, { isStrict: true })) listing.add(entry);
  return listing.result();
}

/** The paths of an archive so far. Each method throws the errors of `inspectCrate`. */
class Listing {
  readonly #topFolder: string;
  readonly #maxFiles: number;
  readonly #isPortable: boolean;
  readonly #bound = new FolderBound();
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  /** Paths of files and folders, by folded path. */
  readonly #pathByFoldedPath = new Map<string, string>();
  #entries = 0;
  #manifest: string | null = null;

  constructor({ topFolder, maxFiles, isPortable }: InspectOptions) {
    this.#topFolder = topFolder;
    this.#maxFiles = maxFiles;
    this.#isPortable = isPortable;
  }

  /** Checks and adds the next entry of the archive. */
  add(entry: TarEntryInParts): void {
    this.#entries += 1;
    if (this.#entries > this.#maxFiles) throw tooMuch(`the archive has more than ${this.#maxFiles} files`);
    if (entry.kind !== 'file' && entry.kind !== 'directory') {
      throw archiveError(`\`${printable(entry.path)}\` is neither a file nor a folder`);
    }
    const path = this.#pathInPackage(entry);
    if (entry.kind === 'directory') {
      if (entry.size > 0) throw archiveError(`the folder \`${printable(path)}\` has content`);
      if (path !== '') this.#register(path, { isFile: false });
      return;
    }
    if (path !== MANIFEST && path.toLowerCase() === MANIFEST.toLowerCase()) {
      throw archiveError(`\`${path}\` must be named \`${MANIFEST}\``);
    }
    this.#register(path, { isFile: true });
    if (path === MANIFEST) this.#manifest = readManifest(entry);
  }

  /** Returns the contents after the last entry. */
  result(): InspectedCrate {
    if (this.#manifest === null) throw archiveError(`the archive has no \`${MANIFEST}\``);
    return { files: this.#files, folders: this.#folders, manifest: this.#manifest };
  }

  /** Returns the path relative to the top folder; empty for that folder itself. */
  #pathInPackage({ path, kind }: TarEntryInParts): string {
    const pathWithoutSlash = kind === 'directory' ? path.replace(/\/$/, '') : path;
    if (pathWithoutSlash.length > MAX_PATH_CHARS) throw archiveError('a path in the archive is too long');
    const [top, ...parts] = pathWithoutSlash.split('/');
    const isInside = top === this.#topFolder && (parts.length > 0 || kind === 'directory');
    const hasNamesOnly = parts.every((part) => part !== '' && part !== '.' && part !== '..');
    if (!isInside || !hasNamesOnly) {
      throw archiveError(`\`${printable(path)}\` is not in the folder \`${this.#topFolder}\``);
    }
    this.#bound.enter(kind === 'directory' ? [...parts, ''] : parts);
    if (hidesReadyFile(parts, { isFolder: kind === 'directory' })) {
      throw archiveError(
        `\`${printable(path)}\` is reserved: clients create this file when they unpack a package`,
      );
    }
    const inPackage = parts.join('/');
    for (const part of parts) {
      const problem = characterProblem(part) ?? (this.#isPortable ? portableNameProblem(part) : null);
      if (problem !== null) throw archiveError(`\`${printable(inPackage)}\` ${problem}`);
    }
    return inPackage;
  }

  /** Registers a path and its parent folders. Throws `archive` if it conflicts with another path. */
  #register(path: string, { isFile }: { readonly isFile: boolean }): void {
    const folded = this.#isPortable ? foldPath(path) : path;
    const otherPath = this.#pathByFoldedPath.get(folded);
    if (otherPath !== undefined) {
      if (otherPath !== path) {
        throw archiveError(
          `\`${otherPath}\` and \`${path}\` are the same name on systems that ignore case or Unicode form`,
        );
      }
      if (this.#files.has(path) !== isFile) throw archiveError(`\`${path}\` is both a file and a folder`);
      if (isFile) throw archiveError(`\`${path}\` is in the archive twice`);
      return;
    }
    this.#pathByFoldedPath.set(folded, path);
    (isFile ? this.#files : this.#folders).add(path);
    const folder = parentOf(path);
    if (folder !== '') this.#register(folder, { isFile: false });
  }
}

/** Returns the text of `Cargo.toml`. Throws `limit` if it is too large, and `archive` if it is not UTF-8. */
function readManifest(entry: TarEntryInParts): string {
  if (entry.size > MAX_MANIFEST_BYTES) {
    throw tooMuch(`\`${MANIFEST}\` is too large: more than ${MAX_MANIFEST_BYTES} bytes`);
  }
  const parts: Buffer[] = [];
  for (let part = entry.next(); part !== null; part = entry.next()) parts.push(Buffer.from(part));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts));
  } catch {
    throw archiveError(`\`${MANIFEST}\` is not UTF-8`);
  }
}

/** Returns a path that is safe to print. */
function printable(path: string): string {
  return path.slice(0, MAX_PATH_CHARS).replaceAll(/[\0-\x1f\x7f]/g, '\ufffd');
}

function tooMuch(message: string): TsregError {
  return new TsregError(message, { code: 'limit' });
}
