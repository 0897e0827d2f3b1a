/**
 * The format of all cache files:
 *
 * | bytes | content                                                                |
 * | ----- | ---------------------------------------------------------------------- |
 * | 8     | `MAGIC`                                                                |
 * | 4     | CRC-32 of all later bytes                                              |
 * | 4     | length of the JSON text                                                |
 * |       | JSON text in UTF-8: a list of the header and the lengths of the blobs  |
 * |       | the blobs                                                              |
 *
 * Numbers are little-endian.
 */
import { crc32 } from 'node:zlib';

/** The first bytes of every file; the last one is the version of the format. */
const MAGIC = Buffer.from('tsreg\0c\x01');
const CHECKSUM_OFFSET = MAGIC.length;
/** The checksum covers the bytes from here on. */
const LENGTH_OFFSET = CHECKSUM_OFFSET + 4;
const TEXT_OFFSET = LENGTH_OFFSET + 4;

/** The content of a cache file. */
export interface EntryFile<Header> {
  readonly header: Header;
  readonly blobs: readonly Uint8Array[];
}

/** Encodes a cache file. The header must be a JSON value. */
export function encodeEntryFile<Header>({ header, blobs }: EntryFile<Header>): Buffer {
  const text = Buffer.from(JSON.stringify([header, blobs.map(({ length }) => length)]));
  const start = Buffer.alloc(TEXT_OFFSET);
  MAGIC.copy(start);
  start.writeUInt32LE(text.length, LENGTH_OFFSET);
  const file = Buffer.concat([start, text, ...blobs]);
  file.writeUInt32LE(crc32(file.subarray(LENGTH_OFFSET)), CHECKSUM_OFFSET);
  return file;
}

/**
 * Decodes the result of `encodeEntryFile` for the same type; null if it is damaged or has another format. For a file
 * that another program made, may throw or return a header of another type. Blobs are views of `file`.
 */
export function decodeEntryFile<Header>(file: Buffer): EntryFile<Header> | null {
  if (file.length < TEXT_OFFSET || !file.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (file.readUInt32LE(CHECKSUM_OFFSET) !== crc32(file.subarray(LENGTH_OFFSET))) return null;
  let end = TEXT_OFFSET + file.readUInt32LE(LENGTH_OFFSET);
  const text = file.subarray(TEXT_OFFSET, end).toString('utf8');
  const [header, lengths]: readonly [Header, readonly number[]] = JSON.parse(text);
  const blobs = lengths.map((length) => {
    const start = end;
    end += length;
    return file.subarray(start, end);
  });
  return { header, blobs };
}
