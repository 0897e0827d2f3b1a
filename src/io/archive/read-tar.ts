/** Reads tar archives: ustar, with the GNU and POSIX extensions for long names. */
import { TsregError } from '../../core/errors/error.ts';

const BLOCK = 512;

/** The position of a number in a header. */
interface Field {
  readonly at: number;
  readonly length: number;
}

const MODE: Field = { at: 100, length: 8 };
const SIZE: Field = { at: 124, length: 12 };
const MTIME: Field = { at: 136, length: 12 };
const CHECKSUM: Field = { at: 148, length: 8 };

/** Types of entries that describe the next entry, or all entries. */
const EXTENSIONS = new Map([
  ['L', 'long name'],
  ['K', 'long name'],
  ['x', 'pax extensions'],
  ['g', 'pax extensions'],
]);
/** Limits on their number before one entry, and on the size of each. */
const MAX_EXTENSIONS = 4;
const MAX_EXTENSION_BYTES = 64 * 1024;

/** Types of files and folders, which all programs read in the same way. */
const PLAIN_TYPES = new Set(['0', '\0', '5']);
/** POSIX records that do not change an archive's content, except for names. */
const PLAIN_RECORDS = new Set([
  ...['path', 'mtime', 'atime', 'ctime', 'uid', 'gid', 'uname', 'gname', 'comment'],
]);

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
  for (const { path, kind, type, mode, mtime, size, next } of readTarInParts(wholly(tar, isCut)))
    yield { path, kind, type, mode, mtime, size, data: next() ?? tar.subarray(tar.length) };
}

function* wholly(tar: Uint8Array, isCut: boolean): Generator<Uint8Array, boolean, undefined> {
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
  let before = new Extensions();
  for (;;) {
    const header = input.whole(BLOCK);
    if (header.length < BLOCK && (header.length > 0 || input.isCut || isStrict))
      throw input.missing('failed to read entire block');
    if (header.every((byte) => byte === 0)) break;
    const name = readName(header);
    checkSum(header, name);
    const written = readNumber(header, SIZE, `size for ${name}`);
    const size = before.size ?? written;
    const padding = Math.ceil(size / BLOCK) * BLOCK - size;
    const type = typeOf(header);
    if (isStrict) checkPlain(header, name);
    if (EXTENSIONS.has(type)) {
      before.count();
      let left = size;
      if (type === 'g' || !hasMagic(header)) before.clear();
      else {
        before.expect(type, size);
        const data = input.whole(size);
        left -= data.length;
        before.take(type, data);
      }
      input.skip(left + padding);
      continue;
    }
    if (isStrict) before.checkPlain();
    const path = before.path ?? name;
    const kind = entryKind(type, path.endsWith('/') && !isUstar(header));
    if (isStrict && (type === '5') !== (kind === 'directory'))
      throw archiveError(`\`${path}\` is a folder for some programs and a file for others`);
    before = new Extensions();
    let left = size;
    yield {
      path,
      kind,
      type,
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
  before.end();
  if (isStrict) input.expectZeros();
}

/** Throws `archive` if some programs do not support the header or read it differently. */
function checkPlain(header: Buffer, name: string): void {
  if (!hasMagic(header)) throw archiveError(`\`${name}\` has a header from before ustar`);
  const type = typeOf(header);
  // No program treats links and devices as files. Callers refuse them by name.
  const isKnown = PLAIN_TYPES.has(type) || type === 'L' || type === 'x' || /[12346]/.test(type);
  if (!isKnown) throw archiveError(`\`${name}\` has the type \`${type}\`, which not every program supports`);
  if (!/^ *[0-7]+[ \0]*$/.test(header.toString('latin1', SIZE.at, SIZE.at + SIZE.length)))
    throw archiveError(`the size of \`${name}\` is not octal`);
}

/** Extensions that describe the next entry. */
class Extensions {
  readonly #taken = new Set<string>();
  #longName: string | null = null;
  #pax: PaxRecords | null = null;
  #count = 0;

  /** The size of the next entry of any type; null if not given. */
  get size(): number | null {
    return this.#pax?.size ?? null;
  }

  /** GNU's name takes precedence over that of POSIX. */
  get path(): string | null {
    return this.#longName ?? this.#pax?.path ?? null;
  }

  /** Throws `archive` if there are more than honest programs write: each costs time and none is content. */
  count(): void {
    this.#count += 1;
    if (this.#count > MAX_EXTENSIONS) throw archiveError('too many extensions describe one member');
  }

  expect(type: string, size: number): void {
    const noun = EXTENSIONS.get(type);
    if (this.#taken.has(type)) throw archiveError(`two ${noun} entries describing the same member`);
    if (size > MAX_EXTENSION_BYTES)
      throw archiveError(`a ${noun} entry has more than ${MAX_EXTENSION_BYTES} bytes`);
  }

  take(type: string, data: Buffer): void {
    this.#taken.add(type);
    if (type === 'L') this.#longName = longName(data);
    if (type === 'x') this.#pax = readPax(data);
  }

  clear(): void {
    this.#taken.clear();
    this.#longName = null;
    this.#pax = null;
  }

  /** Throws `archive` if programs could interpret the extensions differently. */
  checkPlain(): void {
    if (this.#pax === null) return;
    if (this.#longName !== null && this.#pax.path !== null) throw archiveError('a file has two long names');
    if (!this.#pax.isPlain) throw archiveError('pax extensions have records that programs read differently');
  }

  end(): void {
    if (this.#taken.size > 0)
      throw archiveError('members found describing a future member but no future member found');
  }
}

/** Input that arrives in parts. */
class TarInput {
  readonly #parts: Iterator<Uint8Array, boolean, undefined>;
  #part: Buffer = Buffer.alloc(0);
  #at = 0;
  /** True if the input has ended too early. */
  isCut = false;

  constructor(parts: Iterator<Uint8Array, boolean, undefined>) {
    this.#parts = parts;
  }

  /** Returns some of the next bytes, at most `most`; null if there are none. */
  some(most: number): Buffer | null {
    if (most <= 0 || !this.#fill()) return null;
    const part = this.#part.subarray(this.#at, this.#at + most);
    this.#at += part.length;
    return part;
  }

  /** Returns the next bytes in one piece; fewer than `size` at the end. */
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

  /** Skips `size` bytes. Throws `archive` if the input ends before. */
  skip(size: number): void {
    let left = size;
    while (left > 0) {
      if (!this.#fill()) throw this.missing('unexpected EOF during skip');
      const count = Math.min(left, this.#part.length - this.#at);
      this.#at += count;
      left -= count;
    }
  }

  /** Throws `archive` unless only zeros are left. */
  expectZeros(): void {
    while (this.#fill()) {
      const left = this.#part.subarray(this.#at);
      if (left[0] !== 0 || !left.subarray(1).equals(left.subarray(0, -1)))
        throw archiveError('the archive has data after its end');
      this.#at = this.#part.length;
    }
  }

  /** Returns the error for an input that has ended. `message` applies to a complete one. */
  missing(message: string): TsregError {
    return archiveError(this.isCut ? 'unexpected end of file' : message);
  }

  /** Returns false at the end. */
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

/** Returns the kind of an entry. `isOldFolder`: the name ends in a slash, which marked folders before ustar. */
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
      // POSIX: an unknown type is a file.
      return isOldFolder ? 'directory' : 'file';
  }
}

function isUstar(header: Buffer): boolean {
  return header.toString('latin1', 257, 265) === 'ustar\x0000';
}

/** Returns false for headers older than ustar and GNU, which have no extensions. */
function hasMagic(header: Buffer): boolean {
  return isUstar(header) || header.toString('latin1', 257, 265) === 'ustar  \0';
}

function typeOf(header: Buffer): string {
  return header.toString('latin1', 156, 157);
}

function readName(header: Buffer): string {
  const name = text(header, 0, 100);
  const prefix = isUstar(header) ? text(header, 345, 500) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function checkSum(header: Buffer, name: string): void {
  // The checksum field itself counts as spaces.
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

/** Returns an octal number, or a binary one if the first bit is set; null if it is neither. */
function parseNumber(header: Buffer, { at, length }: Field): number | null {
  // The usual form: digits and a NUL.
  let usual = 0;
  for (let i = at; i < at + length; i += 1) {
    const digit = (header[i] ?? 0) - 0x30;
    if (digit === -0x30 && i > at) return usual;
    if (digit < 0 || digit > 7) break;
    usual = usual * 8 + digit;
  }
  const field = header.subarray(at, at + length);
  const first = field.readUInt8(0);
  if ((first & 0x80) !== 0) {
    let number = first & 0x7f;
    for (const byte of field.subarray(1)) number = number * 256 + byte;
    if (Number.isSafeInteger(number)) return number;
  }
  const digits = text(field, 0, length).trim();
  return /^\+?[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : null;
}

/** Returns the name in a GNU entry, with or without a NUL at the end. */
function longName(data: Buffer): string {
  return data.toString('utf8', 0, data.length - (data.at(-1) === 0 ? 1 : 0));
}

interface PaxRecords {
  readonly path: string | null;
  readonly size: number | null;
  /** False if a record is unknown to some programs or occurs twice, or if a line is not a record. */
  readonly isPlain: boolean;
}

/**
 * Reads records like cargo: the first of a kind counts. Lines that are not records are skipped, but a size after one is
 * ignored.
 */
function readPax(data: Buffer): PaxRecords {
  const seen = new Set<string>();
  let [path, size]: [string | null, number | null] = [null, null];
  let [isPlain, hasRecordsOnly] = [true, true];
  for (const record of paxRecords(data)) {
    if (record === null) {
      [isPlain, hasRecordsOnly] = [false, false];
      continue;
    }
    const { key, value } = record;
    isPlain &&= PLAIN_RECORDS.has(key) && !seen.has(key);
    if (key === 'path' && !seen.has(key)) path = value.toString();
    if (key === 'size' && !seen.has(key) && hasRecordsOnly) size = paxNumber(value.toString());
    seen.add(key);
  }
  return { path, size, isPlain };
}

function paxNumber(text: string): number | null {
  const number = /^\+?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}

/**
 * Yields records, which are lines such as `30 path=some/long/name\n` with their own length, up to an empty line; null
 * for any other line.
 */
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

/** Returns the text in a part of `bytes`, up to the first NUL. */
function text(bytes: Buffer, start: number, end: number): string {
  let at = start;
  while (at < end && bytes[at] !== 0) at += 1;
  return bytes.toString('utf8', start, at);
}

function archiveError(message: string): TsregError {
  return new TsregError(message, { code: 'archive' });
}
