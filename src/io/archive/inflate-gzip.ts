/** Decompresses a `.crate`. */
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';

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
const FIXED_HEADER = 10;
const RESERVED_FLAGS = 0xe0;
const TRAILER = 8;
const MIN_CHUNK = 16 * 1024;
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
  return { data, complete: end + TRAILER <= compressed.length };
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
  let [size, sum] = [0, 0];
  for (;;) {
    const next = parts.next();
    if (next.done === true) {
      const end = next.value;
      if (isStrict) checkTrailer(compressed.subarray(end), size, sum);
      return end + TRAILER > compressed.length;
    }
    size += next.value.length;
    if (size > maxBytes)
      throw isStrict
        ? new TsregError(`the archive unpacks to more than ${maxBytes} bytes`, { code: 'limit' })
        : archiveError(TOO_LARGE);
    if (isStrict) sum = crc32(next.value, sum);
    yield next.value;
  }
}

/** Returns the offset at which the compressed data ends or is cut off. */
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
    for (let at = 0; ; ) {
      const left = compressed.length - at;
      handle.writeSync(constants.Z_SYNC_FLUSH, compressed, at, left, part, 0, PART_BYTES);
      if (isCorrupt) throw archiveError('corrupt deflate stream');
      const [unused = 0, unread = 0] = state;
      at = compressed.length - unread;
      if (unused < PART_BYTES) yield part.subarray(0, PART_BYTES - unused);
      if (unused > 0) return at;
    }
  } finally {
    close();
  }
}

/** Checks the checksum and size of the data, and that nothing follows them. RFC 1952. */
function checkTrailer(rest: Uint8Array, size: number, sum: number): void {
  if (rest.length < TRAILER) throw archiveError('the archive is cut off');
  if (rest.length > TRAILER) throw archiveError('the archive has data after its end');
  const trailer = new DataView(rest.buffer, rest.byteOffset, TRAILER);
  if (trailer.getUint32(0, true) !== sum || trailer.getUint32(4, true) !== size % 2 ** 32)
    throw archiveError('the archive is damaged: its checksum does not match its content');
}

/** The internals of Node's `zlib` streams. */
interface Engine {
  readonly handle: {
    writeSync(
      flush: number,
      ...places: readonly [
        from: Uint8Array,
        at: number,
        length: number,
        to: Buffer,
        at: number,
        length: number,
      ]
    ): void;
    onerror: () => void;
  };
  /** The unused bytes of the output, and the unread bytes of the input. */
  readonly state: Uint32Array;
  readonly close: () => void;
}

/**
 * Opens the handle inside Node's stream; null if it has an unknown form, so that the caller has to take the slow way.
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
  if (bytes.length < FIXED_HEADER) throw archiveError('unexpected end of file');
  const flags = present(bytes[3], 'a byte of the fixed header');
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
      chunkSize: Math.max(Math.min(declaredSize(compressed), maxBytes) + 1, MIN_CHUNK),
      // Truncated data is returned up to its end.
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

function archiveError(message: string): TsregError {
  return new TsregError(message, { code: 'archive' });
}
