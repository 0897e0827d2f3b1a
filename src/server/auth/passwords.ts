/** Hashes and verifies passwords. Only a slow hash is stored. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyInput } from './derive-key.ts';
import { type KeyPriority, KeyThreads } from './key-threads.ts';

/** Minimum length of a new password. */
export const MIN_PASSWORD_CHARS = 10;
/** Maximum length of a password. */
export const MAX_PASSWORD_CHARS = 1024;

/** The cost of scrypt: 2^15 blocks of 8 times 128 bytes, three times (32 MiB, some tenths of a second). */
const COST = { log2n: 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;

/** One pool for the process, so that its limits hold for all sign-ins together. */
const THREADS = new KeyThreads();

/** Returns the problem with a new password as a sentence; null if there is none. */
export function findPasswordProblem(password: string): string | null {
  if (password.length < MIN_PASSWORD_CHARS) {
    return `The password is too short: it needs at least ${MIN_PASSWORD_CHARS} characters.`;
  }
  return password.length > MAX_PASSWORD_CHARS
    ? `The password is too long: at most ${MAX_PASSWORD_CHARS} characters are allowed.`
    : null;
}

/**
 * Returns a hash to store, with its salt and costs: `scrypt$15$8$3$SALT$KEY`, the last two in base64url. Throws
 * `PasswordsBusy` if too many passwords are being checked.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  // Who sets a password has signed in, or runs a command on the server.
  const key = await derive(password, { salt, ...COST }, { isKnownDevice: true });
  const texts = [salt, key].map((bytes) => Buffer.from(bytes).toString('base64url'));
  return ['scrypt', COST.log2n, COST.r, COST.p, ...texts].join('$');
}

/**
 * Returns true if `hash` was made from the password; false if it is null or malformed. Takes as long for null, so that
 * the time does not reveal which users have a password. Throws `PasswordsBusy` if too many passwords are being checked.
 */
export async function verifyPassword(
  password: string,
  hash: string | null,
  priority: KeyPriority = { isKnownDevice: false },
): Promise<boolean> {
  const parts = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(hash ?? '');
  // Without a valid hash, an empty key is compared after the usual work.
  const [, log2n = COST.log2n, r = COST.r, p = COST.p, salt = '', expected = ''] = parts ?? [];
  const costs = { log2n: Number(log2n), r: Number(r), p: Number(p) };
  const key = await derive(password, { salt: Buffer.from(salt, 'base64url'), ...costs }, priority);
  const storedKey = Buffer.from(expected, 'base64url');
  return storedKey.length === key.length && timingSafeEqual(storedKey, key);
}

function derive(
  password: string,
  costs: Omit<KeyInput, 'password'>,
  priority: KeyPriority,
): Promise<Uint8Array> {
  // The same characters can be typed in several encodings.
  const text = password.normalize('NFKC').slice(0, MAX_PASSWORD_CHARS);
  return THREADS.derive({ password: text, ...costs }, priority);
}
