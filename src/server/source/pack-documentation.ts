/** Turns an uploaded archive of `cargo doc`'s output into the parts of a blob. */
import { gzipSync } from 'node:zlib';
import { TsregError } from '../../core/errors/error.ts';
import { archiveError } from '../../io/archive/archive-error.ts';
import { inflateGzipInParts } from '../../io/archive/inflate-gzip.ts';
import { characterProblem } from '../../io/archive/portable-name.ts';
import { readTarInParts, type TarEntryInParts } from '../../io/archive/read-tar.ts';
import { encodeIndex, indexText, type PackedFile } from './documentation-index.ts';
import { withStorage } from './documentation-storage.ts';
import { DOCUMENTATION_LIMITS, type DocumentationLimits } from './documentation-limits.ts';

/** Documentation in the form in which it is stored. */
export interface PackedDocumentation {
  /** The blob in parts, in memory that nothing else uses: the files, then the index. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  /** Bytes of the index. */
  readonly indexSize: number;
  readonly fileCount: number;
}

/** The page that each folder of a crate has. */
const START_PAGE = 'index.html';

/** The first bytes of gzip data: its mark and the only compression method. RFC 1952. */
const GZIP_START = [0x1f, 0x8b, 8];
/** The bytes of the shortest header and the trailer. */
const MIN_GZIP_BYTES = 18;

/**
 * Packs a `.tar.gz` of a folder like `target/doc`, without hidden files, with `withStorage` in its pages. `crate` is
 * the name of the crate. Throws `archive` if the archive is invalid, has links or names that could do harm, or if the
 * folder of the crate is unclear. Throws `limit` if it is too large.
 */
export function packDocumentation(
  archive: Uint8Array,
  crate: string,
  limits: DocumentationLimits = DOCUMENTATION_LIMITS,
): PackedDocumentation {
  if (!isGzip(archive)) throw archiveError('the upload is not compressed with gzip: send a `.tar.gz`');
  const files = new PackedFiles(limits);
  const parts = inflateGzipInParts(archive, limits.maxUnpackedBytes, { isStrict: true });
  for (const entry of readTarInParts(parts)) files.add(entry);
  // The checksum of the archive is at its end, after padding that the tar reader does not need.
  while (parts.next().done !== true);
  return files.finish(crate);
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes.length >= MIN_GZIP_BYTES && GZIP_START.every((byte, index) => bytes[index] === byte);
}

/** The files of an archive so far. Each method throws the errors of `packDocumentation`. */
class PackedFiles {
  readonly #limits: DocumentationLimits;
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];
  readonly #files = new Map<string, Omit<PackedFile, 'first'>>();
  #entries = 0;
  #packedBytes = 0;

  constructor(limits: DocumentationLimits) {
    this.#limits = limits;
  }

  add(entry: TarEntryInParts): void {
    const { maxEntries, maxFileBytes, maxPackedBytes, maxPathChars } = this.#limits;
    this.#entries += 1;
    if (this.#entries > maxEntries)
      throw tooMuch(`the archive has more than ${maxEntries} files and folders`);
    if (entry.path.length > maxPathChars) throw archiveError('a path in the archive is too long');
    if (entry.kind !== 'file' && entry.kind !== 'directory')
      throw archiveError(
        `\`${printable(entry.path)}\` is a link or a special file; only files and folders are allowed`,
      );
    const names = namesIn(entry);
    if (entry.kind === 'directory' || names.some((name) => name.startsWith('.'))) return;
    const path = names.join('/');
    if (this.#files.has(path)) throw archiveError(`\`${path}\` is in the archive twice`);
    if (entry.size > maxFileBytes) throw tooMuch(`\`${path}\` has more than ${maxFileBytes} bytes`);
    const content = readContent(entry, path);
    const storedContent = path.endsWith('.html') ? withStorage(content) : content;
    const packed = new Uint8Array(gzipSync(storedContent));
    this.#packedBytes += packed.length;
    if (this.#packedBytes > maxPackedBytes)
      throw tooMuch(`the compressed files have more than ${maxPackedBytes} bytes`);
    this.#parts.push(packed);
    this.#files.set(path, { length: packed.length, size: storedContent.length });
  }

  finish(crate: string): PackedDocumentation {
    const text = indexText(this.#folderOf(crate), this.#files);
    if (Buffer.byteLength(text) > this.#limits.maxIndexBytes)
      throw tooMuch('the paths in the archive are too long together');
    const index = encodeIndex(text);
    return { parts: [...this.#parts, index], indexSize: index.length, fileCount: this.#files.size };
  }

  /** Returns the folder of the library, else the only folder that has a start page. */
  #folderOf(crate: string): string {
    const library = crate.replaceAll('-', '_');
    if (this.#files.has(`${library}/${START_PAGE}`)) return library;
    const folders = Array.from(this.#files.keys(), (path) => path.split('/')).filter(
      (names) => names.length === 2 && names[1] === START_PAGE,
    );
    const [folder, ...others] = folders.map(([name = '']) => name);
    if (folder !== undefined && others.length === 0) return folder;
    throw archiveError(
      folder === undefined
        ? `the archive has no \`${library}/${START_PAGE}\`: pack the content of \`target/doc\` after \`cargo doc\``
        : `the archive has no \`${library}/${START_PAGE}\`, and several other folders with a page of that name: use \`cargo doc --no-deps\``,
    );
  }
}

/** Returns the components of an entry's path; none for the top folder. */
function namesIn({ path, kind }: TarEntryInParts): readonly string[] {
  const pathText = kind === 'directory' ? path.replace(/\/$/, '') : path;
  // tar writes `./` before every path if it packs the folder `.`.
  const relative = pathText === '.' ? '' : pathText.replace(/^\.\//, '');
  if (relative === '' && kind === 'directory') return [];
  const names = relative.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    throw archiveError(`\`${printable(path)}\` is not a relative path inside the archive`);
  for (const name of names) {
    const problem = characterProblem(name);
    if (problem !== null) throw archiveError(`\`${printable(path)}\` ${problem}`);
  }
  return names;
}

/** Returns the content of a file in an archive that may be cut off. */
function readContent({ size, next }: TarEntryInParts, path: string): Uint8Array {
  const content = Buffer.allocUnsafe(size);
  let offset = 0;
  for (let part = next(); part !== null; part = next()) {
    content.set(part, offset);
    offset += part.length;
  }
  if (offset < size) throw archiveError(`the archive ends in the middle of \`${path}\``);
  return content;
}

/** Returns a path that is safe to print. */
function printable(path: string): string {
  return path.replaceAll(/[\0-\x1f\x7f]/g, '\ufffd');
}

function tooMuch(message: string): TsregError {
  return new TsregError(message, { code: 'limit' });
}
