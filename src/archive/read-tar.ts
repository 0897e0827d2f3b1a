/** Reading tar archives: ustar, with the extensions of GNU and POSIX for long names. */
import { TsregError } from '../errors/error.ts';

const BLOCK = 512;

/** What stands before the content of an entry. */
interface TarHead {
  /** As written: it may be absolute or climb out. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link' | 'device';
  /** All bits of the mode. */
  readonly mode: number;
  /** Seconds since 1970. */
  readonly mtime: number;
  /** What the header promises. */
  readonly size: number;
}

/** One entry of an archive. */
export interface TarEntry extends TarHead {
  /** Less than `size` if the archive is cut. */
  readonly data: Uint8Array;
}

/** One entry of an archive that comes in parts. */
export interface TarEntryInParts extends TarHead {
  /** The next part of the content, good until the one after it is asked for; null at its end, and where the archive ends. */
  readonly next: () => Uint8Array | null;
  /** True if more should have come where the archive has ended. */
  readonly isCut: () => boolean;
}

/**
 * The entries of an archive in order, up to the first empty block or its end. Throws where a header
 * cannot be read, with the words that cargo has for it. `data` is a view of `tar`. `isCut` says that more should have
 * come behind it, which is an error as soon as it is missed.
 */
export function* readTar(
  tar: Uint8Array,
  { isCut = false }: { readonly isCut?: boolean } = {},
): Generator<TarEntry, void, undefined> {
  for (const { path, kind, mode, mtime, size, next } of readTarInParts(wholly(tar, isCut)))
    yield { path, kind, mode, mtime, size, data: next() ?? tar.subarray(tar.length) };
}

function* wholly(tar: Uint8Array, isCut: boolean): Generator<Uint8Array, boolean, undefined> {
  yield tar;
  return isCut;
}

/**
 * As `readTar`, of an archive whose parts are good until the next one is asked for. `parts` returns whether more should
 * have come.
 */
export function* readTarInParts(
  parts: Iterator<Uint8Array, boolean, undefined>,
): Generator<TarEntryInParts, void, undefined> {
  const input = new TarInput(parts);
  let longPath: string | null = null;
  let longSize: number | null = null;
  for (;;) {
    const header = input.whole(BLOCK);
    if (header.length === 0) break;
    if (header.length < BLOCK)
      throw archiveError(input.isCut ? 'unexpected end of file' : 'failed to read entire block');
    if (header[0] === 0 && header.every((byte) => byte === 0)) return;
    const name = readName(header);
    checkSum(header, name);
    const size: number = longSize ?? readNumber(header, 124, 12, `size for ${name}`);
    const padding = Math.ceil(size / BLOCK) * BLOCK - size;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'L' || type === 'x') {
      const data = input.whole(size);
      if (data.length < size) throw archiveError('unexpected end of file');
      if (type === 'L') {
        longPath = text(data, 0, data.length);
      } else {
        const records = readPaxRecords(data);
        longPath = records.get('path') ?? longPath;
        const written = Number(records.get('size') ?? Number.NaN);
        if (Number.isSafeInteger(written) && written >= 0) longSize = written;
      }
      input.skip(padding);
      continue;
    }
    if (type === 'g' || type === 'K') {
      input.skip(size + padding);
      continue;
    }
    const path = longPath ?? name;
    longPath = null;
    longSize = null;
    let left = size;
    yield {
      path,
      kind: entryKind(type, path),
      mode: readNumber(header, 100, 8, `mode for ${name}`),
      mtime: readNumber(header, 136, 12, `mtime for ${name}`),
      size,
      next: () => {
        const part = input.some(left);
        left -= part?.length ?? 0;
        return part;
      },
      isCut: () => input.isCut,
    };
    input.skip(left + padding);
  }
  if (input.isCut) throw archiveError('unexpected end of file');
}

/** Bytes that come in parts. */
class TarInput {
  readonly #parts: Iterator<Uint8Array, boolean, undefined>;
  #part: Buffer = Buffer.alloc(0);
  #at = 0;
  /** True if it has ended too soon. */
  isCut = false;

  constructor(parts: Iterator<Uint8Array, boolean, undefined>) {
    this.#parts = parts;
  }

  /** Some of the next bytes, at most `most`; null if there are none, or none are wanted. */
  some(most: number): Buffer | null {
    if (most <= 0 || !this.#fill()) return null;
    const part = this.#part.subarray(this.#at, this.#at + most);
    this.#at += part.length;
    return part;
  }

  /** The next bytes in one piece; fewer than `size` at the end. */
  whole(size: number): Buffer {
    const first = this.some(size) ?? Buffer.alloc(0);
    if (first.length === size || first.length === 0) return first;
    const pieces = [Buffer.from(first)];
    let missing = size - first.length;
    for (let next = this.some(missing); next !== null; next = this.some(missing)) {
      pieces.push(Buffer.from(next));
      missing -= next.length;
    }
    return Buffer.concat(pieces);
  }

  skip(size: number): void {
    for (let left = size; left > 0 && this.#fill(); ) {
      const count = Math.min(left, this.#part.length - this.#at);
      this.#at += count;
      left -= count;
    }
  }

  /** False at the end. */
  #fill(): boolean {
    while (this.#at === this.#part.length) {
      const next = this.#parts.next();
      if (next.done === true) {
        this.isCut = next.value;
        return false;
      }
      const { buffer, byteOffset, length } = next.value;
      this.#part = Buffer.from(buffer, byteOffset, length);
      this.#at = 0;
    }
    return true;
  }
}

function entryKind(type: string, path: string): TarEntry['kind'] {
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
      // POSIX: a type that is not known is a file. Before ustar a folder was a file with a slash behind it.
      return path.endsWith('/') ? 'directory' : 'file';
  }
}

function readName(header: Buffer): string {
  const name = text(header, 0, 100);
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0' && header[263] === 0x30;
  const prefix = isUstar ? text(header, 345, 500) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function checkSum(header: Buffer, name: string): void {
  // The sum itself counts as blanks.
  let sum = 8 * 0x20;
  for (let i = 0; i < 148; i += 1) sum += header[i] ?? 0;
  for (let i = 156; i < BLOCK; i += 1) sum += header[i] ?? 0;
  if (sum !== readNumber(header, 148, 8, `cksum for ${name}`)) {
    throw archiveError('archive header checksum mismatch');
  }
}

/** An octal number, or a binary one if the first bit is set. */
function readNumber(header: Buffer, at: number, length: number, subject: string): number {
  // As nearly all are written: digits, and a NUL.
  let usual = 0;
  for (let i = at; i < at + length; i += 1) {
    const digit = (header[i] ?? 0) - 0x30;
    if (digit === -0x30) return usual;
    if (digit < 0 || digit > 7) break;
    usual = usual * 8 + digit;
  }
  const field = header.subarray(at, at + length);
  if (((field[0] ?? 0) & 0x80) !== 0) {
    let number = (field[0] ?? 0) & 0x7f;
    for (const byte of field.subarray(1)) number = number * 256 + byte;
    if (Number.isSafeInteger(number)) return number;
  }
  const digits = text(field, 0, length).trim();
  if (digits === '') return 0;
  if (!/^[0-7]+$/.test(digits)) {
    throw archiveError(`numeric field was not a number: ${digits} when getting ${subject}`);
  }
  return Number.parseInt(digits, 8);
}

/** Records of the form `30 path=some/long/name\n`, each starting with its own length. */
function readPaxRecords(bytes: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const length = Number(bytes.toString('latin1', at, space));
    const equals = bytes.indexOf(0x3d, space);
    if (space === -1 || !Number.isSafeInteger(length) || length <= 0 || equals === -1) {
      throw archiveError('malformed pax extension');
    }
    records.set(
      bytes.toString('utf8', space + 1, equals),
      bytes.toString('utf8', equals + 1, at + length - 1),
    );
    at += length;
  }
  return records;
}

/** The text in a part of `bytes`, up to the first NUL. */
function text(bytes: Buffer, start: number, end: number): string {
  let at = start;
  while (at < end && bytes[at] !== 0) at += 1;
  return bytes.toString('utf8', start, at);
}

function archiveError(message: string): TsregError {
  return new TsregError(message, { code: 'archive' });
}
