import { crc32 } from 'node:zlib';

/** Eight hexadecimal digits: a name for the file of a key, which stands inside the file as well. */
export function hashText(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
