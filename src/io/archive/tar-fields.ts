/** Reads the fields of tar headers. POSIX, pax: "ustar Interchange Format"; tar(5) for those of GNU. */
import { archiveError } from './archive-error.ts';

/** The size in bytes of a header. Zeros fill every part of an archive up to a multiple of it. */
export const BLOCK = 512;

/** The position of a field in a header, in bytes. `tar-header.ts` has the same positions, for writing. */
interface Field {
  readonly start: number;
  readonly end: number;
}

const NAME: Field = { start: 0, end: 100 };
const MODE: Field = { start: 100, end: 108 };
const SIZE: Field = { start: 124, end: 136 };
const MTIME: Field = { start: 136, end: 148 };
const CHECKSUM: Field = { start: 148, end: 156 };
const TYPE: Field = { start: 156, end: 157 };
/** The magic text and the version. */
const MAGIC: Field = { start: 257, end: 265 };
const PREFIX: Field = { start: 345, end: 500 };

/** Returns true for a header in POSIX's format. */
export function isUstar(header: Buffer): boolean {
  return latin1(header, MAGIC) === 'ustar\x0000';
}

/** Returns false for headers older than ustar and GNU, which have no extensions. */
export function hasMagic(header: Buffer): boolean {
  return isUstar(header) || latin1(header, MAGIC) === 'ustar  \0';
}

/** Returns the header's character for the type of the entry. */
export function typeOf(header: Buffer): string {
  return latin1(header, TYPE);
}

/** Returns the path in a header. */
export function readName(header: Buffer): string {
  const name = textIn(header, NAME);
  const prefix = isUstar(header) ? textIn(header, PREFIX) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Throws `archive` if the checksum in the header is wrong. `name` is that of the entry, for messages. */
export function checkChecksum(header: Buffer, name: string): void {
  // The checksum field itself counts as spaces. Indexes: an iterator takes five times as long, and archives have many
  // headers.
  let sum = (CHECKSUM.end - CHECKSUM.start) * 0x20;
  for (let i = 0; i < CHECKSUM.start; i += 1) sum += header[i] ?? 0;
  for (let i = CHECKSUM.end; i < BLOCK; i += 1) sum += header[i] ?? 0;
  if (sum !== readNumber(header, CHECKSUM, `cksum for ${name}`)) {
    throw archiveError('archive header checksum mismatch');
  }
}

/** Returns the size in bytes. Throws `archive` if it is not a number. `name` is that of the entry, for messages. */
export function readSize(header: Buffer, name: string): number {
  return readNumber(header, SIZE, `size for ${name}`);
}

/** Returns false for a size in another form than octal digits, which not every program reads. */
export function hasOctalSize(header: Buffer): boolean {
  return /^ *[0-7]+[ \0]*$/.test(latin1(header, SIZE));
}

/** Returns all bits of the mode; null if it is not a number. */
export function readMode(header: Buffer): number | null {
  return parseNumber(header, MODE);
}

/** Returns the time of the last change, in seconds since 1970; null if it is not a number. */
export function readMtime(header: Buffer): number | null {
  return parseNumber(header, MTIME);
}

function readNumber(header: Buffer, field: Field, subject: string): number {
  const number = parseNumber(header, field);
  if (number !== null) return number;
  throw archiveError(
    `numeric field was not a number: ${textIn(header, field).trim()} when getting ${subject}`,
  );
}

/** Returns an octal number, or a binary one (GNU) if the first bit is set; null if it is neither. */
function parseNumber(header: Buffer, field: Field): number | null {
  const usual = parseUsualNumber(header, field);
  if (usual !== null) return usual;
  const first = header.readUInt8(field.start);
  if ((first & 0x80) !== 0) {
    let number = first & 0x7f;
    for (const byte of header.subarray(field.start + 1, field.end)) number = number * 256 + byte;
    if (Number.isSafeInteger(number)) return number;
  }
  const digits = textIn(header, field).trim();
  return /^\+?[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : null;
}

/** Parses the form that almost all headers have: octal digits and a NUL. Returns null for any other. */
function parseUsualNumber(header: Buffer, { start, end }: Field): number | null {
  let number = 0;
  for (let i = start; i < end; i += 1) {
    const byte = header.readUInt8(i);
    if (byte === 0 && i > start) return number;
    if (byte < 0x30 || byte > 0x37) return null;
    number = number * 8 + byte - 0x30;
  }
  return null;
}

function latin1(header: Buffer, { start, end }: Field): string {
  return header.toString('latin1', start, end);
}

/** Returns the text in a field, up to the first NUL. */
function textIn(header: Buffer, { start, end }: Field): string {
  const nul = header.indexOf(0, start);
  return header.toString('utf8', start, nul === -1 ? end : Math.min(nul, end));
}
