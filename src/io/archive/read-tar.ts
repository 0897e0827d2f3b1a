/** Reads tar archives: ustar, with the GNU and POSIX extensions for long names. */
import { archiveError } from './archive-error.ts';
import { isExtension, TarExtensions } from './tar-extensions.ts';
import {
  BLOCK,
  checkChecksum,
  hasMagic,
  hasOctalSize,
  isUstar,
  readMode,
  readMtime,
  readName,
  readSize,
  typeOf,
} from './tar-fields.ts';
import { TarInput } from './tar-input.ts';

/**
 * Types that a strict reader accepts: files and folders, long names and pax extensions, and links and devices, which no
 * program treats as files. Callers refuse the last two by name.
 */
const KNOWN_TYPES: ReadonlySet<string> = new Set(['0', '\0', '5', 'L', 'x', '1', '2', '3', '4', '6']);

/** The header of an entry. */
interface TarHead {
  /** As written; it may be absolute or lead out of the folder. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link' | 'device';
  /** The header's character for the type of the entry. */
  readonly type: string;
  /** All bits of the mode. If the header has none, those of a new file or folder before the umask. */
  readonly mode: number;
  /** Seconds since 1970; null if the header has no valid number. */
  readonly mtime: number | null;
  /** The size in bytes according to the header. */
  readonly size: number;
}

/** One entry of an archive. */
export interface TarEntry extends TarHead {
  /** Shorter than `size` if the archive is cut off. */
  readonly data: Uint8Array;
}

/** One entry of an archive that is read in parts. */
export interface TarEntryInParts extends TarHead {
  /** Returns the next part of the content, valid until the following call; null at the end of the entry or archive. */
  readonly next: () => Uint8Array | null;
  /** Returns true if the archive has ended too early. */
  readonly isCut: () => boolean;
}

/**
 * Yields the entries of an archive in order, up to its end or the first empty block. Throws `archive`, in cargo's
 * words, if a header is invalid. `data` is a view of `tar`. `isCut` means that the end is missing, which causes an
 * error when it is needed.
 */
export function* readTar(
  tar: Uint8Array,
  { isCut = false }: { readonly isCut?: boolean } = {},
): Generator<TarEntry, void, undefined> {
  for (const { path, kind, type, mode, mtime, size, next } of readTarInParts(inOnePart(tar, { isCut })))
    yield { path, kind, type, mode, mtime, size, data: next() ?? tar.subarray(tar.length) };
}

/** Yields `tar` as the only part. Returns `isCut`. */
function* inOnePart(
  tar: Uint8Array,
  { isCut }: { readonly isCut: boolean },
): Generator<Uint8Array, boolean, undefined> {
  yield tar;
  return isCut;
}

/** Options for reading an archive. */
export interface ReadTarOptions {
  /**
   * True to refuse content that programs read differently: headers older than ustar, rare entry types (not links and
   * devices), sizes that are not octal or are in an extension, extensions other than names, owners, times and comments,
   * and anything after the end.
   */
  readonly isStrict?: boolean;
}

/**
 * Like `readTar`, for an archive whose parts are valid until the next one is requested. `parts` returns true if the end
 * of the archive is missing.
 */
export function* readTarInParts(
  parts: Iterator<Uint8Array, boolean, undefined>,
  { isStrict = false }: ReadTarOptions = {},
): Generator<TarEntryInParts, void, undefined> {
  const input = new TarInput(parts);
  let extensions = new TarExtensions();
  for (;;) {
    const header = input.readWhole(BLOCK);
    if (header.length < BLOCK && (header.length > 0 || input.isCut || isStrict))
      throw input.endError('failed to read entire block');
    if (header.every((byte) => byte === 0)) break;
    const name = readName(header);
    checkChecksum(header, name);
    const writtenSize = readSize(header, name);
    const size = extensions.size ?? writtenSize;
    const padding = Math.ceil(size / BLOCK) * BLOCK - size;
    const type = typeOf(header);
    if (isStrict) checkPortable(header, name);
    if (isExtension(type)) {
      const bytesRead = readExtension(input, extensions, { header, size });
      input.skip(size - bytesRead + padding);
      continue;
    }
    if (isStrict) extensions.checkPortable();
    const path = extensions.path ?? name;
    const kind = entryKind(type, { isOldFolder: path.endsWith('/') && !isUstar(header) });
    if (isStrict && (type === '5') !== (kind === 'directory'))
      throw archiveError(`\`${path}\` is a folder for some programs and a file for others`);
    extensions = new TarExtensions();
    let unreadBytes = size;
    yield {
      path,
      kind,
      type,
      mode: readMode(header) ?? (kind === 'directory' ? 0o777 : 0o666),
      mtime: readMtime(header),
      size,
      next: () => {
        const part = input.readSome(unreadBytes);
        unreadBytes -= part?.length ?? 0;
        return part;
      },
      isCut: () => input.isCut,
    };
    // The caller need not have read the content.
    input.skip(unreadBytes + padding);
  }
  extensions.checkEnd();
  if (isStrict) input.expectZeros();
}

/** Adds the entry of `header` to `extensions`. Returns the number of bytes of its content that it has read. */
function readExtension(
  input: TarInput,
  extensions: TarExtensions,
  { header, size }: { readonly header: Buffer; readonly size: number },
): number {
  const type = typeOf(header);
  extensions.count();
  if (type === 'g' || !hasMagic(header)) {
    extensions.clear();
    return 0;
  }
  extensions.expect(type, size);
  const data = input.readWhole(size);
  extensions.add(type, data);
  return data.length;
}

/** Throws `archive` if some programs do not support the header or read it differently. */
function checkPortable(header: Buffer, name: string): void {
  if (!hasMagic(header)) throw archiveError(`\`${name}\` has a header from before ustar`);
  const type = typeOf(header);
  if (!KNOWN_TYPES.has(type))
    throw archiveError(`\`${name}\` has the type \`${type}\`, which not every program supports`);
  if (!hasOctalSize(header)) throw archiveError(`the size of \`${name}\` is not octal`);
}

/**
 * Returns the kind of an entry by the type in its header. POSIX, pax: "ustar Interchange Format", typeflag; GNU: `S` is
 * a sparse file. `isOldFolder`: the name ends in a slash, which marked folders before ustar.
 */
function entryKind(type: string, { isOldFolder }: { readonly isOldFolder: boolean }): TarEntry['kind'] {
  switch (type) {
    case '1':
    case '2':
      return 'link';
    case '3':
    case '4':
    case '6':
    case 'S':
      return 'device';
    case '5':
      return 'directory';
    default:
      // POSIX: an unknown type is a file.
      return isOldFolder ? 'directory' : 'file';
  }
}
