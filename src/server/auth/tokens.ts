/** Creates, recognizes and limits tokens of the web API. Cargo Book: Registry Authentication. */
import { createHash, randomBytes } from 'node:crypto';
import { canonicalName } from '../store/canonical-name.ts';
import type { Actor, Token, TokenScope } from '../store/values.ts';

/** All values of `TokenScope`, in the order in which they are displayed. Others in a record are ignored. */
export const TOKEN_SCOPES: readonly TokenScope[] = [
  'read',
  'publish-new',
  'publish-update',
  'yank',
  'owners',
];

/** Maximum length of a token's name. */
export const MAX_TOKEN_NAME_CHARS = 100;

/**
 * Returns true for a valid pattern of a token: a crate name of at most 64 characters, or a prefix, maybe empty, and
 * `*`.
 */
export function isCratePattern(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}\*?$|^\*$/.test(text);
}

/** The start of all tokens, so that leaked ones can be found. */
const MARK = 'tsreg_';
const SECRET_BYTES = 32;
/** How many characters of a token, including the mark, are stored to recognize it by. */
const PREFIX_LENGTH = MARK.length + 4;

const TOKENS = new RegExp(`${MARK}[\\w-]{16,}`, 'g');

/** A new token, to be shown once, and the values to store. */
export interface NewSecret {
  readonly secret: string;
  readonly hash: string;
  readonly prefix: string;
}

/** Creates a random token. */
export function makeSecret(): NewSecret {
  const secret = MARK + randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: hashToken(secret), prefix: secret.slice(0, PREFIX_LENGTH) };
}

/** Returns a text in which only the first characters of each token remain. */
export function withoutTokens(text: string): string {
  return text.includes(MARK) ? text.replaceAll(TOKENS, (token) => `${token.slice(0, PREFIX_LENGTH)}…`) : text;
}

/** Returns the hash by which a token is found. Tokens are random, so a fast hash cannot be reversed. */
export function hashToken(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Returns whether a token is accepted at a time, and why not. */
export function tokenState(
  { revokedAtMs, expiresAtMs }: Pick<Token, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): 'usable' | 'expired' | 'revoked' {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'usable';
}

/** Returns true if one of the token's patterns matches the crate, or if it has no patterns. */
export function isForCrate({ cratePatterns }: Pick<Token, 'cratePatterns'>, crate: string): boolean {
  if (cratePatterns.length === 0) return true;
  const name = canonicalName(crate);
  return cratePatterns.some((pattern) =>
    pattern.endsWith('*')
      ? name.startsWith(canonicalName(pattern.slice(0, -1)))
      : name === canonicalName(pattern),
  );
}

/** Returns true if the actor may use `scope` for the crate; always without a token. */
export function isInScope({ token }: Actor, scope: TokenScope, crate: string): boolean {
  return token === null || (token.scopes.includes(scope) && isForCrate(token, crate));
}
