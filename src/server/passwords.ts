/** Passwords, of which only a slow hash is kept. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

// What a password must have at least, and may have at most, in characters.
const MIN_PASSWORD_CHARS = 10;
const MAX_PASSWORD_CHARS = 1024;

/** The cost of scrypt: 2^15 blocks of 8 times 128 bytes, three times over (32 MiB, some tenths of a second). */
const COST = { log2n: 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

/** What is wrong with a new password, as a sentence; null if it can be taken. */
export function findPasswordProblem(password: string): string | null {
  if (password.length < MIN_PASSWORD_CHARS) {
    return `The password is too short: it needs at least ${MIN_PASSWORD_CHARS} characters.`;
  }
  return password.length > MAX_PASSWORD_CHARS
    ? `The password is too long: at most ${MAX_PASSWORD_CHARS} characters are taken.`
    : null;
}

/** A hash to keep, with its salt and costs: `scrypt$15$8$3$SALT$KEY`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, { salt, ...COST });
  return ['scrypt', COST.log2n, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join(
    '$',
  );
}

/**
 * True if `hash` was made of the password. Takes as long where there is no hash (null), so that the time does not
 * tell who has one.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(hash ?? '');
  const [, log2n = COST.log2n, r = COST.r, p = COST.p, salt = '', expected = ''] = parts ?? [];
  const key = await derive(password, {
    salt: Buffer.from(salt, 'base64url'),
    log2n: Number(log2n),
    r: Number(r),
    p: Number(p),
  });
  const kept = Buffer.from(expected, 'base64url');
  return kept.length === key.length && timingSafeEqual(kept, key);
}

interface Derivation {
  readonly salt: Uint8Array;
  readonly log2n: number;
  readonly r: number;
  readonly p: number;
}

function derive(password: string, { salt, log2n, r, p }: Derivation): Promise<Buffer> {
  // One form for what can be typed in several.
  const text = password.normalize('NFKC').slice(0, MAX_PASSWORD_CHARS);
  return new Promise((resolve, reject) => {
    scrypt(text, salt, KEY_BYTES, { N: 2 ** log2n, r, p, maxmem: MAX_MEMORY_BYTES }, (error, key) => {
      if (error instanceof Error) reject(error);
      else resolve(key);
    });
  });
}
