/**
 * Returns the SHA-256 of some bytes, or of a text in UTF-8, in hexadecimal digits. Node's `crypto` takes 3 ms to load,
 * so it is loaded at the first call: many commands need no hash.
 */
export function sha256Hex(content: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(content).digest('hex');
}
