/** Identifiers of documents. */
import { createHash } from 'node:crypto';

/** Returns a UUID of version 8 that depends only on `text`, so that equal documents have equal identifiers. RFC 9562. */
export function contentUuid(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  // The version (8) is in the upper four bits of byte 6, and the variant (binary 10) in the upper two bits of byte 8.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
