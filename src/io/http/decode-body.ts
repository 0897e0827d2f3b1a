/** Decoding of bodies with a `Content-Encoding`. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { CurlError } from './curl-error.ts';

/** The `accept-encoding` header of requests, as in cargo. */
export const ACCEPT_ENCODING = 'deflate, gzip';

/** curl's limit. Each encoding can make a small body large, and the next one decodes that. */
const MAX_ENCODINGS = 5;

/**
 * Returns `body` without its `encodings`, the value of `Content-Encoding`: the outermost one is last. Throws a
 * `CurlError`, also for more than `maxBytes`.
 */
export function decodeBody(body: Uint8Array, encodings: string, maxBytes: number): Uint8Array {
  const names = encodings.split(',').map((name) => name.trim().toLowerCase());
  if (names.length > MAX_ENCODINGS) {
    throw new CurlError(61, `Reject response due to more than ${MAX_ENCODINGS} content encodings`);
  }
  return names.reduceRight((bytes, name) => decodeOne(bytes, name, maxBytes), body);
}

/** Removes one encoding. */
function decodeOne(bytes: Uint8Array, name: string, maxBytes: number): Uint8Array {
  const options = { maxOutputLength: maxBytes };
  try {
    switch (name) {
      case '':
      case 'identity':
      case 'none':
        return bytes;
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, options);
      case 'deflate':
        // Some servers omit the zlib header that the format requires.
        return isZlib(bytes) ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
      case 'br':
        return brotliDecompressSync(bytes, options);
    }
  } catch (error) {
    // `maxOutputLength` is exceeded.
    if (error instanceof RangeError) throw tooLarge(maxBytes);
    const reason = error instanceof Error ? error.message : String(error);
    throw new CurlError(61, `Error while processing content unencoding: ${reason}`);
  }
  throw new CurlError(
    61,
    'Unrecognized content encoding type. libcurl understands deflate, gzip content encodings.',
  );
}

/** Returns the error for a body larger than its limit. */
export function tooLarge(maxBytes: number): CurlError {
  return new CurlError(63, `Exceeded the maximum allowed file size (${maxBytes})`);
}

/** Returns true if the two bytes of a zlib header are valid. RFC 1950, section 2.2. */
function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
