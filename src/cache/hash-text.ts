/** The names of cache files. */
import { crc32 } from 'node:zlib';

/**
 * Returns the CRC-32 of a text as eight hexadecimal digits. Cache files have such names. Different texts may have the
 * same digits, so each file also contains its key.
 */
export function hashText(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
