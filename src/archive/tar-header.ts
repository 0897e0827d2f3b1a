/** Headers of a tar archive as `cargo package` writes them: GNU form, the same for a file whoever packs it, and when. */

/** Size of a header, and what every part of an archive is filled up to. */
export const TAR_BLOCK = 512;

/** One file of an archive. */
export interface TarFile {
  /** With `/` between components; it may be longer than a header has room for. */
  readonly path: string;
  /** Bytes of its content. */
  readonly size: number;
  readonly isExecutable: boolean;
  /** Files that are made while packing leave the fields for owner and device empty; the others have zeros there. */
  readonly isGenerated: boolean;
}

const NAME_LENGTH = 100;
/** The time of every file: 24 July 2006, since some programs take 0 for no time. */
const MTIME = 1_153_704_088;
const LONG_NAME = '././@LongLink';
const DIGIT_ZERO = 0x30;
/** From here on a size does not fit into 11 octal digits. */
const MAX_OCTAL_SIZE = 8 ** 11;

/**
 * What stands before a file's content: its header, and for a path of more than 100 bytes another entry that
 * has the path as its content.
 */
export function tarHeader(file: TarFile): Uint8Array {
  const path = Buffer.from(file.path);
  const header = fileHeader(file, path);
  return path.length <= NAME_LENGTH ? header : Buffer.concat([longNameEntry(path), header]);
}

/** Number of zero bytes behind a content of `size` bytes. */
export function tarPadding(size: number): number {
  return (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;
}

function fileHeader({ size, isExecutable, isGenerated }: TarFile, path: Buffer): Buffer {
  const header = emptyHeader(shortName(path), '0');
  writeOctal(header, isExecutable ? 0o755 : 0o644, FIELDS.mode);
  writeSize(header, size);
  writeOctal(header, MTIME, FIELDS.mtime);
  if (!isGenerated) for (const field of [...OWNER, ...DEVICE]) writeOctal(header, 0, field);
  return withChecksum(header);
}

function longNameEntry(path: Buffer): Buffer {
  const header = emptyHeader(Buffer.from(LONG_NAME), 'L');
  const size = path.length + 1;
  writeOctal(header, 0o644, FIELDS.mode);
  writeSize(header, size);
  writeOctal(header, 0, FIELDS.mtime);
  for (const field of OWNER) writeOctal(header, 0, field);
  return Buffer.concat([withChecksum(header), path, Buffer.alloc(1 + tarPadding(size))]);
}

/** As much of a path as fits, and no part of a character. */
function shortName(path: Buffer): Buffer {
  if (path.length <= NAME_LENGTH) return path;
  let end = NAME_LENGTH;
  // A byte 10xxxxxx continues a character.
  while (((path[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  // What is left of a name may be a dot, which names the folder that it is in.
  if (path[end - 1] === 0x2e && path[end - 2] === 0x2f) end -= 2;
  return path.subarray(0, end);
}

/** Where a number stands in a header, and for how many bytes, with the NUL behind it. */
type Field = readonly [at: number, length: number];

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
/** What stands behind it is zero. */
const END_OF_FIELDS = FIELDS.deviceMinor[0] + FIELDS.deviceMinor[1];
const OWNER: readonly Field[] = [FIELDS.uid, FIELDS.gid];
const DEVICE: readonly Field[] = [FIELDS.deviceMajor, FIELDS.deviceMinor];

function emptyHeader(name: Buffer, type: string): Buffer {
  const header = Buffer.alloc(TAR_BLOCK);
  name.copy(header);
  header.write(type, 156, 'latin1');
  header.write('ustar  ', 257, 'latin1');
  return header;
}

function writeOctal(header: Buffer, value: number, [at, length]: Field): void {
  let rest = value;
  for (let digit = at + length - 2; digit >= at; digit -= 1) {
    header[digit] = DIGIT_ZERO + (rest % 8);
    rest = Math.floor(rest / 8);
  }
}

function writeSize(header: Buffer, size: number): void {
  if (size < MAX_OCTAL_SIZE) {
    writeOctal(header, size, FIELDS.size);
    return;
  }
  const [at, length] = FIELDS.size;
  header[at] = 0x80;
  header.writeBigUInt64BE(BigInt(size), at + length - 8);
}

/** The sum of all bytes, those of the sum itself taken for spaces. */
function withChecksum(header: Buffer): Buffer {
  let sum = FIELDS.checksum[1] * 0x20;
  for (let at = 0; at < END_OF_FIELDS; at += 1) sum += header[at] ?? 0;
  writeOctal(header, sum, FIELDS.checksum);
  return header;
}
