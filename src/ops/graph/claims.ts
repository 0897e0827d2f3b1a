/** Who of two threads reads which package, and which packages one of them has found on disk. */

/** In shared memory, one number for each package. */
export type Claims = Int32Array;

const FREE = 0;
const TAKEN = 1;
/** Taken, and found on disk. */
const FOUND = 2;

/** For so many packages, all of them free. */
export function makeClaims(count: number): Claims {
  return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
}

/** True for whoever is first to ask for a package: nobody else reads it. */
export function takeClaim(claims: Claims, index: number): boolean {
  return Atomics.compareExchange(claims, index, FREE, TAKEN) === FREE;
}

/** Says that a package, which was taken, is on disk with its archive. */
export function noteFound(claims: Claims, index: number): void {
  Atomics.store(claims, index, FOUND);
}

/** True if that was said of a package. */
export function isFound(claims: Claims, index: number): boolean {
  return Atomics.load(claims, index) === FOUND;
}
