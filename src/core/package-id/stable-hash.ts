/**
 * The hash that names folders under `CARGO_HOME`: SipHash-1-3 with a key of zeros and a 128-bit result, folded to 64
 * bits, as in the Rust crate `rustc-stable-hash`. The constants are those of SipHash.
 */

const U64 = 0xffff_ffff_ffff_ffffn;

/** Returns the hash of `bytes` as cargo prints it: 16 hexadecimal digits, least significant byte first. */
export function stableHash(bytes: Uint8Array): string {
  const state = new SipState();
  // Whole words: the last one has the remaining bytes, and in its last byte the length.
  const padded = new Uint8Array(bytes.length - (bytes.length % 8) + 8);
  padded.set(bytes);
  padded[padded.length - 1] = bytes.length & 0xff;
  const words = new DataView(padded.buffer);
  for (let offset = 0; offset < padded.length; offset += 8) state.absorb(words.getBigUint64(offset, true));
  const folded = state.finish();
  let text = '';
  for (let shift = 0n; shift < 64n; shift += 8n) {
    text += ((folded >> shift) & 0xffn).toString(16).padStart(2, '0');
  }
  return text;
}

/** The state of SipHash-1-3: one round for each word, three rounds at the end. */
class SipState {
  #v0 = 0x736f6d6570736575n;
  /** `0xee` selects the result with 128 bits. */
  #v1 = 0x646f72616e646f6dn ^ 0xeen;
  #v2 = 0x6c7967656e657261n;
  #v3 = 0x7465646279746573n;

  /** Adds 8 bytes. */
  absorb(word: bigint): void {
    this.#v3 ^= word;
    this.#round();
    this.#v0 ^= word;
  }

  /** Returns both halves of the result, folded. The state is then used up. */
  finish(): bigint {
    this.#v2 ^= 0xeen;
    const low = this.#squeeze();
    this.#v1 ^= 0xddn;
    const high = this.#squeeze();
    return (low * 3n + high) & U64;
  }

  #squeeze(): bigint {
    for (let i = 0; i < 3; i++) this.#round();
    return this.#v0 ^ this.#v1 ^ this.#v2 ^ this.#v3;
  }

  #round(): void {
    this.#v0 = (this.#v0 + this.#v1) & U64;
    this.#v2 = (this.#v2 + this.#v3) & U64;
    this.#v1 = rotateLeft(this.#v1, 13n) ^ this.#v0;
    this.#v3 = rotateLeft(this.#v3, 16n) ^ this.#v2;
    this.#v0 = rotateLeft(this.#v0, 32n);
    this.#v2 = (this.#v2 + this.#v1) & U64;
    this.#v0 = (this.#v0 + this.#v3) & U64;
    this.#v1 = rotateLeft(this.#v1, 17n) ^ this.#v2;
    this.#v3 = rotateLeft(this.#v3, 21n) ^ this.#v0;
    this.#v2 = rotateLeft(this.#v2, 32n);
  }
}

function rotateLeft(word: bigint, bits: bigint): bigint {
  return ((word << bits) & U64) | (word >> (64n - bits));
}
