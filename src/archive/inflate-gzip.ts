/** Taking the gzip off a `.crate`. */
import { constants, crc32, inflateRawSync } from 'node:zlib';
import { TsregError } from '../errors/error.ts';

/** What was inside. */
export interface Inflated {
  readonly data: Buffer;
  /** False if the compressed data stopped before its end; `data` is what there was. */
  readonly complete: boolean;
}

const FIXED_HEADER = 10;
const RESERVED_FLAGS = 0xe0;
const TRAILER = 8;
const MIN_CHUNK = 16 * 1024;
/** Deflate makes nothing smaller than to this part of it. */
const MAX_RATIO = 1032;

/**
 * The first member of a gzip file. Its checksum is not looked at (as in cargo, which never reads so far):
 * a package's own checksum says more. Throws if it is not gzip, or more than `maxBytes`.
 */
export function inflateGzip(bytes: Uint8Array, maxBytes: number): Inflated {
  const start = headerLength(bytes);
  const compressed = bytes.subarray(start);
  try {
    const { buffer, engine } = inflateWithInfo(compressed, maxBytes);
    return { data: buffer, complete: engine.bytesWritten + TRAILER <= compressed.length };
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw archiveError(isTooLarge ? 'maximum limit reached when reading' : 'corrupt deflate stream');
  }
}

/** Length of the header with its optional fields. */
function headerLength(bytes: Uint8Array): number {
  if (bytes.length < FIXED_HEADER) throw archiveError('unexpected end of file');
  const flags = bytes[3] ?? 0;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8 || (flags & RESERVED_FLAGS) !== 0)
    throw archiveError('invalid gzip header');
  let at = FIXED_HEADER;
  if ((flags & 4) !== 0) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end === -1) throw archiveError('unexpected end of file');
    at = end + 1;
  }
  const end = at;
  if ((flags & 2) !== 0) at += 2;
  if (at > bytes.length) throw archiveError('unexpected end of file');
  if (
    at > end &&
    (crc32(bytes.subarray(0, end)) & 0xffff) !== (bytes[end] ?? 0) + 256 * (bytes[end + 1] ?? 0)
  )
    throw archiveError('corrupt gzip stream does not have a matching checksum');
  return at;
}

/** What the trailer says of the size of the data, as far as it can be true; only a hint. */
function declaredSize(compressed: Uint8Array): number {
  const { buffer, byteOffset, length } = compressed;
  const declared = length < 4 ? 0 : new DataView(buffer, byteOffset, length).getUint32(length - 4, true);
  return Math.min(declared, length * MAX_RATIO);
}

interface InflatedWithInfo {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function inflateWithInfo(compressed: Uint8Array, maxBytes: number): InflatedWithInfo {
  const result: unknown = inflateRawSync(compressed, {
    maxOutputLength: maxBytes,
    // In one piece nothing has to be put together, which needs the memory twice.
    chunkSize: Math.max(Math.min(declaredSize(compressed), maxBytes) + 1, MIN_CHUNK),
    // Output that was cut is wanted as far as it goes.
    finishFlush: constants.Z_SYNC_FLUSH,
    info: true,
  });
  if (!isWithInfo(result)) throw new TsregError('zlib did not say how much it read', { code: 'bug' });
  return result;
}

function isWithInfo(result: unknown): result is InflatedWithInfo {
  return typeof result === 'object' && result !== null && 'buffer' in result && 'engine' in result;
}

function archiveError(message: string): TsregError {
  return new TsregError(message, { code: 'archive' });
}
