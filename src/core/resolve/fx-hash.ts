/**
 * FxHash on 64-bit machines, as in version 2 of the Rust crate `rustc-hash`: the hash that orders the sets of cargo's
 * resolver. The constants are those of the crate.
 */

const MASK = 0xffff_ffff_ffff_ffffn;
const FACTOR = 0xf135_7aea_2e62_a9c5n;
const FIRST_SEED = 0x243f_6a88_85a3_08d3n;
const SECOND_SEED = 0x1319_8a2e_0370_7344n;
/** Prevents a product of 0. */
const AGAINST_ZERO = 0xa409_3822_299f_31d0n;
const ROTATION = 26n;
/** Rust's `str` adds this byte to its hash. */
const END_OF_TEXT = 0xff;

/** Hashes values in the order of their fields. Slow, and meant for few values. */
export class FxHash {
  #state = 0n;

  /** Adds a number of any width, the index of a variant, the length of a list, or a boolean as 0 or 1. */
  number(value: number | bigint): void {
    this.#state = ((this.#state + BigInt(value)) * FACTOR) & MASK;
  }

  /** Adds text, like `str` in Rust. */
  text(value: string): void {
    this.number(hashBytes(new TextEncoder().encode(value)));
    this.number(END_OF_TEXT);
  }

  /** Returns the lower 32 bits, which are all that cargo's sets use. */
  finish(): number {
    const rotated = (this.#state << ROTATION) | (this.#state >> (64n - ROTATION));
    return Number(BigInt.asUintN(32, rotated));
  }
}

function hashBytes(bytes: Uint8Array): bigint {
  const { length } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  const word = (offset: number): bigint => view.getBigUint64(offset, true);
  const byte = (offset: number): bigint => BigInt(view.getUint8(offset));
  let first = FIRST_SEED;
  let second = SECOND_SEED;
  // All but the last 16 bytes are mixed in as pairs of words.
  for (let offset = 0; offset < length - 16; offset += 16) {
    [first, second] = [second, mix(first ^ word(offset), AGAINST_ZERO ^ word(offset + 8))];
  }
  if (length > 16) {
    first ^= word(length - 16);
    second ^= word(length - 8);
  } else if (length >= 8) {
    first ^= word(0);
    second ^= word(length - 8);
  } else if (length >= 4) {
    first ^= BigInt(view.getUint32(0, true));
    second ^= BigInt(view.getUint32(length - 4, true));
  } else if (length > 0) {
    first ^= byte(0);
    second ^= (byte(length - 1) << 8n) | byte(length >> 1);
  }
  return mix(first, second) ^ BigInt(length);
}

/** Returns both halves of the 128-bit product, combined. */
function mix(a: bigint, b: bigint): bigint {
  const product = a * b;
  return (product & MASK) ^ (product >> 64n);
}
