import { crc32 } from 'node:zlib';

/** Returns eight hexadecimal digits to name the file of a cache key. They are not unique: the file contains the key. */
export function hashText(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
