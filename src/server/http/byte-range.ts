/** Range requests. RFC 9110, section 14. */
import type { ByteRange } from '../store/blobs.ts';

/**
 * Parses the header `Range` for a file of `size` bytes. Returns null to send the whole file, which is also the response
 * to several ranges and to an invalid header, and `unsatisfiable` for a range outside of the file (status 416).
 */
export function parseByteRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | null {
  // Numbers of at most 15 digits are exact. A longer one makes the header invalid.
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  // `bytes=-500` means the last 500 bytes.
  if (first === '') {
    if (last === '') return null;
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return null;
  if (Number(first) >= size) return 'unsatisfiable';
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
