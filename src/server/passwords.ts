/** Passwords, of which only a slow hash is kept. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyOrder } from './derive-key.ts';
import { type KeyPriority, KeyThreads } from './key-threads.ts';

// What a password must have at least, and may have at most, in characters.
const MIN_PASSWORD_CHARS = 10;
const MAX_PASSWORD_CHARS = 1024;

/** The cost of scrypt: 2^15 blocks of 8 times 128 bytes, three times over (32 MiB, some tenths of a second). */
const COST = { log2n: 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;

const THREADS = new KeyThreads();

/** What is wrong with a new password, as a sentence; null if it can be taken. */
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
 * `PasswordsBusy` where too many passwords are being checked.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, { salt, ...COST }, { isKnownDevice: true });
  const texts = [salt, key].map((bytes) => Buffer.from(bytes).toString('base64url'));
  return ['scrypt', COST.log2n, COST.r, COST.p, ...texts].join('$');
}

/**
 * True if `hash` was made of the password. Takes as long where there is no hash (null), so that the time does not
 * tell who has one. Throws `PasswordsBusy` where too many passwords are being checked.
 */
export async function verifyPassword(
  password: string,
  hash: string | null,
  priority: KeyPriority = { isKnownDevice: false },
): Promise<boolean> {
  const parts = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(hash ?? '');
  const [, log2n = COST.log2n, r = COST.r, p = COST.p, salt = '', expected = ''] = parts ?? [];
  const costs = { log2n: Number(log2n), r: Number(r), p: Number(p) };
  const key = await derive(password, { salt: Buffer.from(salt, 'base64url'), ...costs }, priority);
  const stored = Buffer.from(expected, 'base64url');
  return stored.length === key.length && timingSafeEqual(stored, key);
}

function derive(
  password: string,
  costs: Omit<KeyOrder, 'password'>,
  priority: KeyPriority,
): Promise<Uint8Array> {
  // One form for what can be typed in several.
  const text = password.normalize('NFKC').slice(0, MAX_PASSWORD_CHARS);
  return THREADS.derive({ password: text, ...costs }, priority);
}
