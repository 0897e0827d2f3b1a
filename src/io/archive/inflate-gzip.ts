/** Decompresses a `.crate`. */
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import { archiveError } from './archive-error.ts';

/** Decompressed data. */
export interface Inflated {
  readonly data: Buffer;
  /** False if the file ends before its trailer does; `data` then has the part up to there. */
  readonly complete: boolean;
}

/** Options for reading a gzip file in parts. */
export interface InflateOptions {
  /** True to refuse a file with a wrong trailer or with data after it, which programs handle differently. */
  readonly isStrict?: boolean;
}

const TOO_LARGE = 'maximum limit reached when reading';
/** The header without its optional fields. RFC 1952, section 2.3, as are the following names. */
const FIXED_HEADER_BYTES = 10;
const [ID1, ID2, CM_DEFLATE] = [0x1f, 0x8b, 8];
const [FHCRC, FEXTRA, FNAME, FCOMMENT, RESERVED_FLAGS] = [0x02, 0x04, 0x08, 0x10, 0xe0];
/** Checksum and size of the data. */
const TRAILER_BYTES = 8;
const MIN_CHUNK_BYTES = 16 * 1024;
/** Fits into processor caches. */
const PART_BYTES = 64 * 1024;
/** The highest compression ratio of deflate. */
const MAX_RATIO = 1032;

/**
 * Decompresses the first member of a gzip file. Does not verify its checksum (as cargo, which never reads that far),
 * since the package's own checksum is stronger. Throws `archive` if it is not gzip, or more than `maxBytes`.
 */
export function inflateGzip(bytes: Uint8Array, maxBytes: number): Inflated {
  const compressed = bytes.subarray(headerLength(bytes));
  const { data, end } = inflateWhole(compressed, maxBytes);
  return { data, complete: end + TRAILER_BYTES <= compressed.length };
}

/**
 * Like `inflateGzip`, but in parts, each of which is valid until the next one is requested. Returns true if the file
 * ends too early. Throws `archive`, or `limit` if `isStrict` and there are more than `maxBytes`.
 */
export function* inflateGzipInParts(
  bytes: Uint8Array,
  maxBytes: number,
  { isStrict = false }: InflateOptions = {},
): Generator<Uint8Array, boolean, undefined> {
  const compressed = bytes.subarray(headerLength(bytes));
  const parts = deflatedParts(compressed, maxBytes);
  let [size, checksum] = [0, 0];
  for (;;) {
    const next = parts.next();
    if (next.done === true) {
      const end = next.value;
      if (isStrict) checkTrailer(compressed.subarray(end), { size, checksum });
      return end + TRAILER_BYTES > compressed.length;
    }
    size += next.value.length;
    if (size > maxBytes)
      throw isStrict
        ? new TsregError(`the archive unpacks to more than ${maxBytes} bytes`, { code: 'limit' })
        : archiveError(TOO_LARGE);
    if (isStrict) checksum = crc32(next.value, checksum);
    yield next.value;
  }
}

/** Yields the data in parts that share memory. Returns the offset at which the compressed data ends or is cut off. */
function* deflatedParts(compressed: Uint8Array, maxBytes: number): Generator<Uint8Array, number, undefined> {
  const engine = openEngine();
  if (engine === null) {
    const { data, end } = inflateWhole(compressed, maxBytes);
    yield data;
    return end;
  }
  const { handle, state, close } = engine;
  const part = Buffer.allocUnsafeSlow(PART_BYTES);
  let isCorrupt = false;
  handle.onerror = () => {
    isCorrupt = true;
  };
  try {
    for (let offset = 0; ; ) {
      const remainingBytes = compressed.length - offset;
      handle.writeSync(constants.Z_SYNC_FLUSH, compressed, offset, remainingBytes, part, 0, PART_BYTES);
      if (isCorrupt) throw archiveError('corrupt deflate stream');
      const [unused = 0, unread = 0] = state;
      offset = compressed.length - unread;
      if (unused < PART_BYTES) yield part.subarray(0, PART_BYTES - unused);
      // zlib leaves space only if it has used all input, or has reached the end of the compressed data.
      if (unused > 0) return offset;
    }
  } finally {
    close();
  }
}

/** Checks the checksum and size of the data, and that nothing follows them. RFC 1952. */
function checkTrailer(
  trailer: Uint8Array,
  { size, checksum }: { readonly size: number; readonly checksum: number },
): void {
  if (trailer.length < TRAILER_BYTES) throw archiveError('the archive is cut off');
  if (trailer.length > TRAILER_BYTES) throw archiveError('the archive has data after its end');
  const view = new DataView(trailer.buffer, trailer.byteOffset, TRAILER_BYTES);
  if (view.getUint32(0, true) !== checksum || view.getUint32(4, true) !== size % 2 ** 32)
    throw archiveError('the archive is damaged: its checksum does not match its content');
}

/** The internals of Node's `zlib` streams. */
interface Engine {
  readonly handle: {
    writeSync(
      flush: number,
      ...buffers: readonly [
        input: Uint8Array,
        inputOffset: number,
        inputLength: number,
        output: Buffer,
        outputOffset: number,
        outputLength: number,
      ]
    ): void;
    onerror: () => void;
  };
  /** The unused bytes of the output, and the unread bytes of the input. */
  readonly state: Uint32Array;
  readonly close: () => void;
}

/**
 * Opens the handle inside Node's stream; null if it has an unknown form, so that the caller has to use `inflateWhole`.
 * Node's synchronous calls allocate new memory for all output, and new pages take a third of the time to unpack. npm
 * uses the same handle, through `minizlib`.
 */
function openEngine(): Engine | null {
  const stream: object = createInflateRaw();
  const close = (): void => {
    if ('close' in stream && typeof stream.close === 'function') stream.close();
  };
  if ('_handle' in stream && '_writeState' in stream) {
    const { _handle: handle, _writeState: state } = stream;
    if (isHandle(handle) && state instanceof Uint32Array) return { handle, state, close };
  }
  close();
  return null;
}

function isHandle(handle: unknown): handle is Engine['handle'] {
  return (
    typeof handle === 'object' &&
    handle !== null &&
    'onerror' in handle &&
    'writeSync' in handle &&
    typeof handle.writeSync === 'function'
  );
}

/** Returns the length of the header with its optional fields. Throws `archive` if it is invalid. */
function headerLength(bytes: Uint8Array): number {
  if (bytes.length < FIXED_HEADER_BYTES) throw archiveError('unexpected end of file');
  const flags = present(bytes[3], 'a byte of the fixed header');
  if (bytes[0] !== ID1 || bytes[1] !== ID2 || bytes[2] !== CM_DEFLATE || (flags & RESERVED_FLAGS) !== 0)
    throw archiveError('invalid gzip header');
  let end = FIXED_HEADER_BYTES;
  if ((flags & FEXTRA) !== 0) end += 2 + uint16At(bytes, end);
  for (const flag of [FNAME, FCOMMENT]) {
    if ((flags & flag) === 0) continue;
    const nul = bytes.indexOf(0, end);
    if (nul === -1) throw archiveError('unexpected end of file');
    end = nul + 1;
  }
  const checksumEnd = (flags & FHCRC) === 0 ? end : end + 2;
  if (checksumEnd > bytes.length) throw archiveError('unexpected end of file');
  if (checksumEnd > end && (crc32(bytes.subarray(0, end)) & 0xffff) !== uint16At(bytes, end))
    throw archiveError('corrupt gzip stream does not have a matching checksum');
  return checksumEnd;
}

/** Reads a little-endian number. Missing bytes count as 0: the caller then finds that the header is cut off. */
function uint16At(bytes: Uint8Array, offset: number): number {
  return (bytes[offset] ?? 0) + 256 * (bytes[offset + 1] ?? 0);
}

/** Returns the size that the trailer declares, limited to a possible one. Only a hint. */
function declaredSize(compressed: Uint8Array): number {
  const { buffer, byteOffset, length } = compressed;
  const declared = length < 4 ? 0 : new DataView(buffer, byteOffset, length).getUint32(length - 4, true);
  return Math.min(declared, length * MAX_RATIO);
}

interface InflatedWithInfo {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Returns the data, and the offset at which the compressed data ends. */
function inflateWhole(
  compressed: Uint8Array,
  maxBytes: number,
): { readonly data: Buffer; readonly end: number } {
  let result: unknown;
  try {
    result = inflateRawSync(compressed, {
      maxOutputLength: maxBytes,
      // With a single chunk, Node need not join chunks, which takes twice the memory.
      chunkSize: Math.max(Math.min(declaredSize(compressed), maxBytes) + 1, MIN_CHUNK_BYTES),
      // Also returns truncated data, up to its end.
      finishFlush: constants.Z_SYNC_FLUSH,
      info: true,
    });
  } catch (error) {
    throw archiveError(error instanceof RangeError ? TOO_LARGE : 'corrupt deflate stream');
  }
  if (!isWithInfo(result)) throw new TsregError('zlib did not say how much it read', { code: 'bug' });
  return { data: result.buffer, end: result.engine.bytesWritten };
}

function isWithInfo(result: unknown): result is InflatedWithInfo {
  return typeof result === 'object' && result !== null && 'buffer' in result && 'engine' in result;
}
