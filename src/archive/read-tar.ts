/** Reading tar archives: ustar, with the extensions of GNU and POSIX for long names. */
import { TsregError } from '../errors/error.ts';

const BLOCK = 512;

/** Where a number stands in a header. */
interface Field {
  readonly at: number;
  readonly length: number;
}

const MODE: Field = { at: 100, length: 8 };
const SIZE: Field = { at: 124, length: 12 };
const MTIME: Field = { at: 136, length: 12 };
const CHECKSUM: Field = { at: 148, length: 8 };

/** Types of entries that say something of the one behind them, or of all. */
const EXTENSIONS = new Set(['L', 'K', 'x', 'g']);
const NOUNS = new Map([
  ['L', 'long name'],
  ['K', 'long name'],
  ['x', 'pax extensions'],
]);

/** What stands before the content of an entry. */
interface TarHead {
  /** As written: it may be absolute or climb out. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link' | 'device';
  /** All bits of the mode; where the header has none, those of a new file or folder before the umask. */
  readonly mode: number;
  /** Seconds since 1970; null where the header has no such number. */
  readonly mtime: number | null;
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
  /** By type, what was said of the entry that comes next. */
  const before = new Map<string, Buffer>();
  for (;;) {
    const header = input.whole(BLOCK);
    if (header.length < BLOCK && (header.length > 0 || input.isCut))
      throw input.missing('failed to read entire block');
    if (header.every((byte) => byte === 0)) break;
    const name = readName(header);
    checkSum(header, name);
    const written = readNumber(header, SIZE, `size for ${name}`);
    const pax = before.get('x');
    const size = (pax === undefined ? null : paxSize(pax)) ?? written;
    const padding = Math.ceil(size / BLOCK) * BLOCK - size;
    const type = String.fromCharCode(header[156] ?? 0);
    if (EXTENSIONS.has(type)) {
      let left = size;
      if (type === 'g' || !hasMagic(header)) before.clear();
      else {
        if (before.has(type)) throw archiveError(`two ${NOUNS.get(type)} entries describing the same member`);
        const data = input.whole(size);
        left -= data.length;
        before.set(type, Buffer.from(data));
      }
      input.skip(left + padding);
      continue;
    }
    const long = before.get('L');
    const path = long !== undefined ? longName(long) : ((pax === undefined ? null : paxPath(pax)) ?? name);
    const kind = entryKind(type, path.endsWith('/') && !isUstar(header));
    before.clear();
    let left = size;
    yield {
      path,
      kind,
      mode: parseNumber(header, MODE) ?? (kind === 'directory' ? 0o777 : 0o666),
      mtime: parseNumber(header, MTIME),
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
  if (before.size > 0)
    throw archiveError('members found describing a future member but no future member found');
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

  /** Throws where the archive ends before. */
  skip(size: number): void {
    let left = size;
    while (left > 0) {
      if (!this.#fill()) throw this.missing('unexpected EOF during skip');
      const count = Math.min(left, this.#part.length - this.#at);
      this.#at += count;
      left -= count;
    }
  }

  /** The error of an archive that has ended; `message` is for one of which no more should have come. */
  missing(message: string): TsregError {
    return archiveError(this.isCut ? 'unexpected end of file' : message);
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

/** `isOldFolder` says that the name of a file ends in a slash, as that of a folder did before ustar. */
function entryKind(type: string, isOldFolder: boolean): TarEntry['kind'] {
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
      // POSIX: a type that is not known is a file.
      return isOldFolder ? 'directory' : 'file';
  }
}

function isUstar(header: Buffer): boolean {
  return header.toString('latin1', 257, 265) === 'ustar\x0000';
}

/** False for headers from before ustar and GNU, which know no extensions. */
function hasMagic(header: Buffer): boolean {
  return isUstar(header) || header.toString('latin1', 257, 265) === 'ustar  \0';
}

function readName(header: Buffer): string {
  const name = text(header, 0, 100);
  const prefix = isUstar(header) ? text(header, 345, 500) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function checkSum(header: Buffer, name: string): void {
  // The sum itself counts as blanks.
  let sum = 8 * 0x20;
  for (let i = 0; i < 148; i += 1) sum += header[i] ?? 0;
  for (let i = 156; i < BLOCK; i += 1) sum += header[i] ?? 0;
  if (sum !== readNumber(header, CHECKSUM, `cksum for ${name}`)) {
    throw archiveError('archive header checksum mismatch');
  }
}

function readNumber(header: Buffer, field: Field, subject: string): number {
  const number = parseNumber(header, field);
  if (number !== null) return number;
  const { at, length } = field;
  const digits = text(header, at, at + length).trim();
  throw archiveError(`numeric field was not a number: ${digits} when getting ${subject}`);
}

/** An octal number, or a binary one if the first bit is set; null if it is neither. */
function parseNumber(header: Buffer, { at, length }: Field): number | null {
  // As nearly all are written: digits, and a NUL.
  let usual = 0;
  for (let i = at; i < at + length; i += 1) {
    const digit = (header[i] ?? 0) - 0x30;
    if (digit === -0x30 && i > at) return usual;
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
  return /^\+?[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : null;
}

/** The name in a GNU entry, with a NUL behind it or without. */
function longName(data: Buffer): string {
  return data.toString('utf8', 0, data.length - (data.at(-1) === 0 ? 1 : 0));
}

/** As cargo: lines that are no records are passed over. */
function paxPath(data: Buffer): string | null {
  for (const record of paxRecords(data)) if (record?.key === 'path') return record.value.toString();
  return null;
}

/** As cargo: behind a line that is no record there is no size. */
function paxSize(data: Buffer): number | null {
  for (const record of paxRecords(data)) {
    if (record === null) return null;
    if (record.key !== 'size') continue;
    const size = /^\+?\d+$/.test(record.value.toString()) ? Number(record.value.toString()) : Number.NaN;
    return Number.isSafeInteger(size) ? size : null;
  }
  return null;
}

/** Lines of the form `30 path=some/long/name\n` with their own length, up to an empty one; null for any other line. */
function* paxRecords(
  data: Buffer,
): Generator<{ readonly key: string; readonly value: Buffer } | null, void, undefined> {
  for (let at = 0, end = 0; at < data.length; at = end + 1) {
    end = data.indexOf(0x0a, at);
    if (end === -1) end = data.length;
    const line = data.subarray(at, end);
    if (line.length === 0) return;
    const space = line.indexOf(0x20);
    const equals = line.indexOf(0x3d, space);
    const isRecord =
      space !== -1 && equals !== -1 && Number(line.toString('latin1', 0, space)) === line.length + 1;
    yield isRecord
      ? { key: line.toString('utf8', space + 1, equals), value: line.subarray(equals + 1) }
      : null;
  }
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
