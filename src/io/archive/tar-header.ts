/** Tar headers as `cargo package` writes them: in GNU form, and independent of user and time. */
import { BLOCK } from './tar-fields.ts';

/** One file of an archive. */
export interface TarFile {
  /** With `/` between components. It may be longer than a header allows. */
  readonly path: string;
  /** Size of its content in bytes. */
  readonly size: number;
  readonly isExecutable: boolean;
  /** True for a file generated while packaging: its owner and device fields stay empty. For others they are zeros. */
  readonly isGenerated: boolean;
}

const NAME_LENGTH = 100;
/**
 * The time of every file, as in cargo, in seconds since 1970: 24 July 2006, since some programs interpret 0 as no time.
 */
export const CRATE_MTIME = 1_153_704_088;
/** The name of the entry with a long name. tar(5), "GNU Tar Archives". */
const LONG_NAME = '././@LongLink';
const DIGIT_ZERO = 0x30;
/** The first size that does not fit into 11 octal digits. */
const OCTAL_SIZE_LIMIT = 8 ** 11;

/**
 * Returns the header of a file. If the path has more than 100 bytes, an entry with the path as its content precedes it.
 */
export function tarHeader(file: TarFile): Uint8Array {
  const path = Buffer.from(file.path);
  const header = fileHeader(file, path);
  return path.length <= NAME_LENGTH ? header : Buffer.concat([longNameEntry(path), header]);
}

/** Returns the number of zero bytes after a content of `size` bytes. */
export function tarPadding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function fileHeader({ size, isExecutable, isGenerated }: TarFile, path: Buffer): Buffer {
  const header = emptyHeader(shortName(path), '0');
  writeOctal(header, isExecutable ? 0o755 : 0o644, FIELDS.mode);
  writeSize(header, size);
  writeOctal(header, CRATE_MTIME, FIELDS.mtime);
  if (!isGenerated) for (const field of [...OWNER, ...DEVICE]) writeOctal(header, 0, field);
  return withChecksum(header);
}

/** Returns a GNU entry whose content is the path of the next entry. */
function longNameEntry(path: Buffer): Buffer {
  const header = emptyHeader(Buffer.from(LONG_NAME), 'L');
  const size = path.length + 1;
  writeOctal(header, 0o644, FIELDS.mode);
  writeSize(header, size);
  writeOctal(header, 0, FIELDS.mtime);
  for (const field of OWNER) writeOctal(header, 0, field);
  return Buffer.concat([withChecksum(header), path, Buffer.alloc(1 + tarPadding(size))]);
}

/** Returns as much of a path as fits, without splitting a character. */
function shortName(path: Buffer): Buffer {
  if (path.length <= NAME_LENGTH) return path;
  let end = NAME_LENGTH;
  // A byte 10xxxxxx continues a character.
  while ((path.readUInt8(end) & 0xc0) === 0x80) end -= 1;
  // The cut may leave only a dot of the last name, which would name its folder.
  if (path.toString('latin1', end - 2, end) === '/.') end -= 2;
  return path.subarray(0, end);
}

/** The position of a number in a header, and its length in bytes, including the NUL at the end. */
type Field = readonly [offset: number, length: number];

/** POSIX, pax: "ustar Interchange Format". `tar-fields.ts` has the same positions, for reading. */
const FIELDS = {
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  deviceMajor: [329, 8],
  deviceMinor: [337, 8],
} as const satisfies Readonly<Record<string, Field>>;
const TYPE_OFFSET = 156;
const MAGIC_OFFSET = 257;
/** The mark of GNU's format. POSIX has `ustar\0` and a version instead. */
const GNU_MAGIC = 'ustar  ';
/** All bytes after the fields are zero. */
const END_OF_FIELDS = FIELDS.deviceMinor[0] + FIELDS.deviceMinor[1];
const OWNER: readonly Field[] = [FIELDS.uid, FIELDS.gid];
const DEVICE: readonly Field[] = [FIELDS.deviceMajor, FIELDS.deviceMinor];

/** Returns a header with only a name, a type and the format. */
function emptyHeader(name: Buffer, type: string): Buffer {
  const header = Buffer.alloc(BLOCK);
  name.copy(header);
  header.write(type, TYPE_OFFSET, 'latin1');
  header.write(GNU_MAGIC, MAGIC_OFFSET, 'latin1');
  return header;
}

/** Writes octal digits, with leading zeros, and leaves the last byte of the field as NUL. */
function writeOctal(header: Buffer, value: number, [offset, length]: Field): void {
  let higherDigits = value;
  for (let position = offset + length - 2; position >= offset; position -= 1) {
    header[position] = DIGIT_ZERO + (higherDigits % 8);
    higherDigits = Math.floor(higherDigits / 8);
  }
}

/** Writes a size: in octal digits if it fits, else in GNU's binary form. */
function writeSize(header: Buffer, size: number): void {
  if (size < OCTAL_SIZE_LIMIT) {
    writeOctal(header, size, FIELDS.size);
    return;
  }
  // GNU: if the first bit is set, the number is binary.
  const [offset, length] = FIELDS.size;
  header[offset] = 0x80;
  header.writeBigUInt64BE(BigInt(size), offset + length - 8);
}

/** Writes the sum of all bytes. The checksum field itself counts as spaces. */
function withChecksum(header: Buffer): Buffer {
  let sum = FIELDS.checksum[1] * 0x20;
  // Indexes: an iterator takes five times as long.
  for (let i = 0; i < END_OF_FIELDS; i += 1) sum += header[i] ?? 0;
  writeOctal(header, sum, FIELDS.checksum);
  return header;
}
