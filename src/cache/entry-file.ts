/** The format of all cache files: a header as JSON, and byte strings, with a checksum over both. */
import { crc32 } from 'node:zlib';

/** The first bytes of every file; the last one is the version of the format. */
const MAGIC = Buffer.from('tsreg\0c\x01');
const CHECKED_FROM = MAGIC.length + 4;
/** Magic, checksum of the rest, length of the header. */
const HEAD_BYTES = CHECKED_FROM + 4;

/** The content of a cache file. */
export interface EntryFile<Header> {
  readonly header: Header;
  readonly blobs: readonly Uint8Array[];
}

/** Encodes a cache file. */
export function encodeEntryFile<Header>({ header, blobs }: EntryFile<Header>): Buffer {
  const text = Buffer.from(JSON.stringify([header, blobs.map(({ length }) => length)]));
  const head = Buffer.alloc(HEAD_BYTES);
  MAGIC.copy(head);
  head.writeUInt32LE(text.length, CHECKED_FROM);
  const file = Buffer.concat([head, text, ...blobs]);
  file.writeUInt32LE(crc32(file.subarray(CHECKED_FROM)), MAGIC.length);
  return file;
}

/**
 * Decodes the result of `encodeEntryFile` for the same type; null if it is damaged or has another format. For a file
 * that another program made, may throw or return a header of another type. Blobs are views of `file`.
 */
export function decodeEntryFile<Header>(file: Buffer): EntryFile<Header> | null {
  if (file.length < HEAD_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (file.readUInt32LE(MAGIC.length) !== crc32(file.subarray(CHECKED_FROM))) return null;
  let at = HEAD_BYTES;
  const take = (length: number): Buffer => file.subarray(at, (at += length));
  const text = take(file.readUInt32LE(CHECKED_FROM)).toString('utf8');
  const [header, lengths]: readonly [Header, readonly number[]] = JSON.parse(text);
  return { header, blobs: lengths.map(take) };
}
