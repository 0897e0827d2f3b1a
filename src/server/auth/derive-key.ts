import { scryptSync } from 'node:crypto';

const KEY_BYTES = 32;
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

/** Input of a key derivation: the typed password, and the salt and costs of scrypt. RFC 7914, section 2. */
export interface KeyInput {
  readonly password: string;
  readonly salt: Uint8Array;
  /** The binary logarithm of the cost `N`. */
  readonly log2n: number;
  /** The block size. */
  readonly r: number;
  /** The parallelization. */
  readonly p: number;
}

/**
 * Derives a key of 32 bytes with scrypt, which blocks the thread for some tenths of a second. Throws if the costs
 * exceed 256 MiB.
 */
export function deriveKey({ password, salt, log2n, r, p }: KeyInput): Uint8Array {
  return scryptSync(password, salt, KEY_BYTES, { N: 2 ** log2n, r, p, maxmem: MAX_MEMORY_BYTES });
}
